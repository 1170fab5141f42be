//! The modules of a crate: what each one declares, imports and names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::tokens::{Token, tokens};

/// A path as it is written, for example `crate::hir::Node`.
pub(crate) type Names = Vec<String>;

#[derive(Debug)]
pub(crate) struct Module {
    /// The index of the file that it stands in.
    pub(crate) file: usize,
    pub(crate) parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Names of the items that the module itself defines.
    defined: BTreeSet<String>,
    /// Names that `use` brings in, with what they stand for.
    imported: BTreeMap<String, Names>,
    /// Modules that are imported with `*`.
    globs: Vec<Names>,
    /// Every path, with its line: those of `use` lines and those inside code.
    pub(crate) paths: Vec<(Names, usize)>,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A module as a whole.
    Module(usize),
    /// Something that this module defines.
    Item(usize),
}

/// All modules of one crate, without its unit tests. The first is its root.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    pub(crate) modules: Vec<Module>,
    pub(crate) files: Vec<PathBuf>,
}

/// How far re-exports are followed; a name that is imported from itself would go on for ever.
const FOLLOWED: usize = 16;

impl Modules {
    /// Reads the crate with this root file. `read` gives the text of a file, or `None` where there is none.
    pub(crate) fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Self {
        let mut modules = Self::default();
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        modules.read_file(root.to_owned(), &folder, None, read);
        modules
    }

    /// Reads a file as a module whose children live in `folder`.
    fn read_file(
        &mut self,
        path: PathBuf,
        folder: &Path,
        parent: Option<usize>,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> usize {
        let text = read(&path).unwrap_or_else(|| panic!("{}: can't be read", path.display()));
        let file = self.files.len();
        self.files.push(path);
        let module = self.add(file, parent);
        Reader {
            modules: self,
            read,
            tokens: &tokens(&text),
            at: 0,
            named: None,
        }
        .items(module, folder);
        module
    }

    fn add(&mut self, file: usize, parent: Option<usize>) -> usize {
        self.modules.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            defined: BTreeSet::new(),
            imported: BTreeMap::new(),
            globs: Vec::new(),
            paths: Vec::new(),
        });
        self.modules.len() - 1
    }

    /// Where a path that stands in `module` leads, through re-exports; `None` if it leads to another crate.
    pub(crate) fn resolve(&self, module: usize, path: &[String]) -> Option<Place> {
        self.follow(module, path, FOLLOWED)
    }

    fn follow(&self, module: usize, path: &[String], left: usize) -> Option<Place> {
        let left = left.checked_sub(1)?;
        let (first, mut rest) = path.split_first()?;
        let mut place = match first.as_str() {
            "crate" => Place::Module(0),
            "self" => Place::Module(module),
            "super" => Place::Module(self.modules[module].parent?),
            name => self.find(module, name, left)?,
        };
        while let (Place::Module(at), Some((name, tail))) = (place, rest.split_first()) {
            place = match name.as_str() {
                "self" => Place::Module(at),
                "super" => Place::Module(self.modules[at].parent?),
                // A macro or a name that another macro defines: it belongs to the module that is named.
                name => self.find(at, name, left).unwrap_or(Place::Item(at)),
            };
            rest = tail;
        }
        Some(place)
    }

    /// What a name means in a module.
    fn find(&self, module: usize, name: &str, left: usize) -> Option<Place> {
        let left = left.checked_sub(1)?;
        let here = &self.modules[module];
        if let Some(&child) = here.children.get(name) {
            return Some(Place::Module(child));
        }
        if here.defined.contains(name) {
            return Some(Place::Item(module));
        }
        if let Some(path) = here.imported.get(name) {
            return self.follow(module, path, left);
        }
        here.globs
            .iter()
            .find_map(|path| match self.follow(module, path, left) {
                Some(Place::Module(other)) if other != module => self.find(other, name, left),
                _ => None,
            })
    }
}

/// Goes through the tokens of one file.
struct Reader<'a> {
    modules: &'a mut Modules,
    read: &'a dyn Fn(&Path) -> Option<String>,
    tokens: &'a [Token<'a>],
    at: usize,
    /// The file that `#[path = "..."]` gives to the module that follows.
    named: Option<&'a str>,
}

const DEFINES: [&str; 8] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static"];

impl<'a> Reader<'a> {
    fn peek(&self, ahead: usize) -> &'a str {
        self.tokens.get(self.at + ahead).map_or("", |token| token.text)
    }

    /// Reads the items of a module, up to the brace that closes it.
    fn items(&mut self, module: usize, folder: &Path) {
        let mut depth = 0;
        while let Some(token) = self.tokens.get(self.at) {
            let after = self.at.checked_sub(1).map_or("", |at| self.tokens[at].text);
            match token.text {
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => depth -= 1,
                "#" if self.peek(1) == "[" || self.peek(2) == "[" => {
                    self.attribute();
                    continue;
                }
                "mod" if self.word(1) && [";", "{"].contains(&self.peek(2)) => {
                    self.child(module, folder);
                    continue;
                }
                "use" => {
                    self.at += 1;
                    self.imports(module, &mut Vec::new());
                    continue;
                }
                "macro_rules" if self.peek(1) == "!" => {
                    self.define(module, 2);
                }
                word if depth == 0 && DEFINES.contains(&word) => self.define(module, 1),
                _ if self.peek(1) == "::" && token.is_word() && after != "::" => {
                    self.path(module);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    fn word(&self, ahead: usize) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(Token::is_word)
    }

    fn define(&mut self, module: usize, ahead: usize) {
        let name = self.peek(ahead).to_owned();
        self.modules.modules[module].defined.insert(name);
    }

    /// Goes over an attribute; over the item after it, too, if that is compiled for tests only.
    fn attribute(&mut self) {
        let start = self.at;
        self.at += if self.peek(1) == "!" { 2 } else { 1 };
        self.group();
        let words: Vec<&str> = self.tokens[start..self.at].iter().map(|token| token.text).collect();
        if words == ["#", "[", "cfg", "(", "test", ")", "]"] {
            self.item();
        } else if let ["#", "[", "path", "=", path, "]"] = words[..] {
            self.named = Some(path.trim_matches('"'));
        }
    }

    /// Goes over what stands between a bracket and its partner.
    fn group(&mut self) {
        let mut depth = 0;
        while let Some(token) = self.tokens.get(self.at) {
            self.at += 1;
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Goes over one item, with the attributes before it: to its semicolon or its closing brace. A field, a variant
    /// or an arm ends at its comma.
    fn item(&mut self) {
        while self.peek(0) == "#" {
            self.at += 1;
            self.group();
        }
        let begins = [
            "pub",
            "use",
            "mod",
            "impl",
            "let",
            "unsafe",
            "async",
            "extern",
            "macro_rules",
        ];
        let is_item = begins.contains(&self.peek(0)) || DEFINES.contains(&self.peek(0));
        while let Some(token) = self.tokens.get(self.at) {
            match token.text {
                ";" => {
                    self.at += 1;
                    return;
                }
                "," if !is_item => {
                    self.at += 1;
                    return;
                }
                "}" => return,
                "{" => {
                    self.group();
                    // `use a::{b, c};` has braces and a semicolon.
                    if self.peek(0) != ";" {
                        return;
                    }
                }
                "(" | "[" => self.group(),
                _ => self.at += 1,
            }
        }
    }

    /// `mod name;` or `mod name { ... }`.
    fn child(&mut self, module: usize, folder: &Path) {
        let name = self.peek(1).to_owned();
        let inline = self.peek(2) == "{";
        self.at += 3;
        let below = folder.join(&name);
        let file = self.modules.modules[module].file;
        let child = if inline {
            let child = self.modules.add(file, Some(module));
            self.items(child, &below);
            self.at += 1;
            child
        } else if let Some(named) = self.named.take() {
            // Its own children stand beside it.
            let beside = self.modules.files[file].parent().unwrap_or(Path::new("")).to_owned();
            let path = beside.join(named);
            let below = path.parent().unwrap_or(Path::new("")).to_owned();
            self.modules.read_file(path, &below, Some(module), self.read)
        } else {
            let beside = folder.join(format!("{name}.rs"));
            let path = if (self.read)(&beside).is_some() {
                beside
            } else {
                below.join("mod.rs")
            };
            self.modules.read_file(path, &below, Some(module), self.read)
        };
        self.modules.modules[module].children.insert(name, child);
    }

    /// One branch of a `use` tree; `before` is the path that leads to it. Ends after the semicolon of the whole.
    fn imports(&mut self, module: usize, before: &mut Names) {
        let length = before.len();
        let line = self.tokens.get(self.at).map_or(0, |token| token.line);
        loop {
            match self.peek(0) {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while !["}", ""].contains(&self.peek(0)) {
                        self.imports(module, before);
                        if self.peek(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    break;
                }
                "*" => {
                    self.at += 1;
                    let module = &mut self.modules.modules[module];
                    module.globs.push(before.clone());
                    module.paths.push((before.clone(), line));
                    break;
                }
                word if self.word(0) => {
                    before.push(word.to_owned());
                    self.at += 1;
                    if self.peek(0) != "::" {
                        self.import(module, before, line);
                        break;
                    }
                }
                _ => break,
            }
        }
        before.truncate(length);
        if self.peek(0) == ";" {
            self.at += 1;
        }
    }

    /// The end of a branch: `name` or `name as other`.
    fn import(&mut self, module: usize, path: &Names, line: usize) {
        let mut path = path.clone();
        if path.len() > 1 && path.last().is_some_and(|name| name == "self") {
            path.pop();
        }
        let mut name = path.last().cloned().unwrap_or_default();
        if self.peek(0) == "as" {
            name = self.peek(1).to_owned();
            self.at += 2;
        }
        let module = &mut self.modules.modules[module];
        if path != [name.clone()] {
            module.imported.insert(name, path.clone());
        }
        module.paths.push((path, line));
    }

    /// A path inside code: `crate::hir::Node`, `hir::Node::new`.
    fn path(&mut self, module: usize) {
        let line = self.tokens[self.at].line;
        let mut path = Names::new();
        while self.word(0) {
            path.push(self.peek(0).to_owned());
            self.at += 1;
            if self.peek(0) != "::" {
                break;
            }
            self.at += 1;
        }
        self.modules.modules[module].paths.push((path, line));
    }
}

/// A file's name below the root of the project, with `/`.
pub(crate) fn name(path: &Path, root: &Path) -> String {
    let below = path.strip_prefix(root).unwrap_or(path);
    let parts = below.components().filter_map(|part| match part {
        Component::Normal(part) => part.to_str(),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}
