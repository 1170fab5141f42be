//! No circles: if a file uses another, directly or through others, that one does not use it back.
//!
//! A module may use what the modules around it define: parent and child are one thing, in several files. That a parent
//! uses its child counts, so who uses the parent uses the child, too. A path counts for the file that defines what it
//! names: `use crate::Node` is no use of `lib.rs` if that only says `pub use hir::Node`.

use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry};
use std::fs;
use std::path::Path;

use crate::modules::{Modules, Place, name};
use crate::root;

/// The root files of a crate, as Cargo finds them.
const ROOTS: [&str; 2] = ["src/lib.rs", "src/main.rs"];
/// Each file in these folders, and each `main.rs` one below, is a crate.
const ROOT_FOLDERS: [&str; 4] = ["src/bin", "tests", "benches", "examples"];

/// A file uses another: the line and the path of the first place.
type Uses = BTreeMap<usize, BTreeMap<usize, (usize, String)>>;

/// Which file uses which. What a module uses of itself and of the modules around it is left out.
fn uses(modules: &Modules) -> Uses {
    let mut found = Uses::new();
    for (index, module) in modules.modules.iter().enumerate() {
        for (path, line) in &module.paths {
            // A module that is imported as a whole is used where a path goes through it.
            let Some(Place::Item(other)) = modules.resolve(index, path) else {
                continue;
            };
            let to = modules.modules[other].file;
            if !is_inside(modules, index, other) {
                let place = || (*line, path.join("::"));
                found.entry(module.file).or_default().entry(to).or_insert_with(place);
            }
        }
    }
    found
}

/// Whether a module stands in the same file as another one, or inside that.
fn is_inside(modules: &Modules, inner: usize, outer: usize) -> bool {
    let file = modules.modules[outer].file;
    std::iter::successors(Some(inner), |&module| modules.modules[module].parent)
        .any(|module| modules.modules[module].file == file)
}

/// The shortest way by which a file leads back to itself.
fn ring(uses: &Uses, start: usize) -> Option<Vec<usize>> {
    let mut from: BTreeMap<usize, usize> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for &next in uses.get(&file).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut way: Vec<usize> = std::iter::successors(Some(file), |file| from.get(file).copied()).collect();
                way.reverse();
                return Some(way);
            }
            if let Entry::Vacant(slot) = from.entry(next) {
                slot.insert(file);
                queue.push_back(next);
            }
        }
    }
    None
}

/// All that can be reached from a file.
fn reached(uses: &Uses, start: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        for &next in uses.get(&file).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}

/// A circle: its files, and how to see it.
#[derive(Debug)]
struct Circle {
    files: BTreeSet<String>,
    shown: String,
}

/// The circles of a crate: sets of files each of which leads to each.
fn circles(modules: &Modules, base: &Path) -> Vec<Circle> {
    let uses = uses(modules);
    let all: BTreeMap<usize, BTreeSet<usize>> = uses.keys().map(|&file| (file, reached(&uses, file))).collect();
    let mut done: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for (&file, after) in &all {
        if !after.contains(&file) || done.contains(&file) {
            continue;
        }
        let back = |other: &&usize| all.get(other).is_some_and(|after| after.contains(&file));
        let members: BTreeSet<usize> = after.iter().filter(back).copied().collect();
        done.extend(&members);
        let name = |file: usize| name(&modules.files[file], base);
        let show = |from: usize, to: usize| {
            let (line, path) = &uses[&from][&to];
            format!("  {}:{line} uses {}: {path}\n", name(from), name(to))
        };
        let rings = members.iter().filter_map(|&member| ring(&uses, member));
        let shortest = rings.min_by_key(Vec::len).unwrap_or_default();
        let mut shown = format!("a circle of {} files; its shortest ring:\n", members.len());
        let mut shown_before = BTreeSet::new();
        for (at, &from) in shortest.iter().enumerate() {
            let to = shortest[(at + 1) % shortest.len()];
            shown_before.insert((from, to));
            shown += &show(from, to);
        }
        let inside = members
            .iter()
            .flat_map(|&from| uses[&from].keys().map(move |&to| (from, to)))
            .filter(|(from, to)| members.contains(to) && !shown_before.contains(&(*from, *to)));
        let others: String = inside.map(|(from, to)| show(from, to)).collect();
        if !others.is_empty() {
            shown += &format!(" and the others between these files:\n{others}");
        }
        found.push(Circle {
            files: members.iter().map(|&file| name(file)).collect(),
            shown,
        });
    }
    found
}

/// The root files of all crates of the workspace.
fn roots() -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let crates = crate::LAYERS.iter().map(|(folder, _)| root().join(folder));
    for folder in crates.chain([root().to_owned()]) {
        found.extend(
            ROOTS
                .map(|path| folder.join(path))
                .into_iter()
                .filter(|path| path.exists()),
        );
        for inside in ROOT_FOLDERS {
            let Ok(entries) = fs::read_dir(folder.join(inside)) else {
                continue;
            };
            for entry in entries {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    found.extend([path.join("main.rs")].into_iter().filter(|path| path.exists()));
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    found.push(path);
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn no_circles() {
    let read = |path: &Path| fs::read_to_string(path).ok();
    let found: Vec<Circle> = roots()
        .iter()
        .flat_map(|path| circles(&Modules::read(path, &read), root()))
        .collect();
    let shown: String = found.iter().map(|circle| format!("\n{}", circle.shown)).collect();
    assert!(found.is_empty(), "{} circles:\n{shown}", found.len());
}

/// The circles of a crate of these files.
fn circles_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    let read = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| (*text).to_owned())
    };
    let modules = Modules::read(Path::new("lib.rs"), &read);
    let found = circles(&modules, Path::new(""));
    found
        .into_iter()
        .map(|circle| circle.files.into_iter().collect())
        .collect()
}

#[test]
fn circles_are_found() {
    let lib = ("lib.rs", "mod a; mod b; mod c;");
    let ring = [
        lib,
        ("a.rs", "use crate::b::{B, other::{self}}; pub struct A;"),
        ("b.rs", "pub struct B; fn f() { crate::c::f(); }"),
        ("c.rs", "use super::a; pub fn f() -> a::A { todo!() }"),
    ];
    assert_eq!(circles_of(&ring), [["a.rs", "b.rs", "c.rs"]]);
    let mut line = ring;
    line[3].1 = "pub fn f() { \"crate::a::A\"; } // crate::a::A\n #[cfg(test)] mod tests { use crate::a::A; }";
    assert!(circles_of(&line).is_empty());
}

#[test]
fn parents_and_children_may_use_each_other() {
    let family = [
        ("lib.rs", "mod a; pub fn f() { a::f(); }"),
        (
            "a.rs",
            "mod b; mod c; pub use b::B; pub fn f() { crate::f(); c::C::new(); }",
        ),
        ("a/b.rs", "use super::f; pub struct B;"),
        ("a/c.rs", "use super::B; pub struct C;"),
    ];
    assert!(circles_of(&family).is_empty());
    let mut circle = family;
    circle[2].1 = "use super::c::C; pub struct B;";
    assert_eq!(
        circles_of(&circle),
        [["a/b.rs", "a/c.rs"]],
        "a re-export is followed to b.rs"
    );
}

#[test]
fn who_uses_a_parent_uses_its_child() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        ("a.rs", "mod c; pub use c::C; pub struct A;"),
        ("a/c.rs", "use crate::b::B; pub struct C;"),
        ("b.rs", "use crate::a::A; pub struct B;"),
    ];
    assert_eq!(circles_of(&files), [["a.rs", "a/c.rs", "b.rs"]]);
}

#[test]
fn a_facade_is_no_circle() {
    let facade = [
        ("lib.rs", "mod a; mod b; pub use a::*; pub use b::B as Other;"),
        ("a/mod.rs", "mod deep; pub use deep::Deep;"),
        ("a/deep.rs", "pub enum Deep { One }"),
        ("b.rs", "use crate::Deep; pub struct B(Deep);"),
    ];
    assert!(circles_of(&facade).is_empty());
    let mut circle = facade;
    circle[2].1 = "pub enum Deep { One(crate::Other) }";
    assert_eq!(circles_of(&circle), [["a/deep.rs", "b.rs"]]);
}
