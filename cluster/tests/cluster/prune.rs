//! What nobody asks any more is removed, and nothing else.

use std::num::NonZeroU64;
use std::path::Path;
use std::time::Duration;

use cqldex_cluster::{Ask, Cut, Place, Pruned, Shape, add, prune};
use tempfile::TempDir;

use crate::support::{here, matches, printed, program, run, sample_shards, samples};

/// The names of the files or folders of a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// A place whose second manifest does not name the first shard of the first one, and a shard that none names.
fn place() -> (TempDir, Place) {
    let (folder, place) = sample_shards(4);
    let first = run(place.manifest()).unwrap();
    let root = folder.path().join("shards");
    std::fs::create_dir(root.join("shards/forgotten")).unwrap();
    std::fs::write(root.join("shards/forgotten/CURRENT"), "MANIFEST").unwrap();
    let mut second = first.with([]);
    let gone = second.shards.remove(0);
    second.shards.iter_mut().for_each(|shard| shard.before -= gone.games);
    run(place.publish(&second)).unwrap();
    (folder, place)
}

#[test]
fn what_is_young_stays() {
    let (folder, place) = place();
    let root = folder.path().join("shards");
    let before = (names(&root.join("shards")), names(&root.join("manifests")));
    assert_eq!(
        run(prune(&place, Duration::from_secs(3600), false)).unwrap(),
        Pruned::default()
    );
    assert_eq!((names(&root.join("shards")), names(&root.join("manifests"))), before);
}

#[test]
fn what_a_manifest_names_stays() {
    let (folder, place) = place();
    let root = folder.path().join("shards");
    let ask = || Ask::new(place.name(), "check", Shape::Report);
    let expected = matches(&here(), ask()).unwrap();
    let looked = run(prune(&place, Duration::ZERO, true)).unwrap();
    assert_eq!(
        (names(&root.join("shards")).len(), names(&root.join("manifests")).len()),
        (5, 2)
    );
    let pruned = run(prune(&place, Duration::ZERO, false)).unwrap();
    assert_eq!(pruned, looked);
    assert_eq!(pruned.manifests, ["00000000000000000001.json"]);
    assert_eq!(pruned.shards.len(), 2);
    assert!(pruned.shards.contains(&"forgotten".to_owned()) && pruned.bytes > 1000);
    let mut named: Vec<String> = run(place.manifest())
        .unwrap()
        .shards
        .into_iter()
        .map(|shard| shard.id)
        .collect();
    named.sort();
    assert_eq!(names(&root.join("shards")), named);
    assert_eq!(names(&root.join("manifests")), ["00000000000000000002.json"]);
    assert_eq!(matches(&here(), ask()).unwrap(), expected);
    assert_eq!(run(prune(&place, Duration::ZERO, false)).unwrap(), Pruned::default());
}

#[test]
fn shards_can_come_again() {
    let (_folder, place) = place();
    run(prune(&place, Duration::ZERO, false)).unwrap();
    let cut = Cut::Shards(NonZeroU64::new(4).unwrap());
    let manifest = run(add(&place, &samples(), cut, None, &())).unwrap();
    assert_eq!(manifest.shards.len(), 7);
    let (found, totals) = matches(&here(), Ask::new(place.name(), "mate", Shape::Report)).unwrap();
    assert_eq!(found.len() as u64, totals.positions);
}

#[test]
fn a_damaged_manifest_stops_it() {
    let (folder, place) = place();
    let root = folder.path().join("shards");
    std::fs::write(root.join("manifests/00000000000000000002.json"), "nothing").unwrap();
    assert!(run(prune(&place, Duration::ZERO, false)).is_err());
    assert_eq!(
        (names(&root.join("shards")).len(), names(&root.join("manifests")).len()),
        (5, 2)
    );
}

#[test]
fn the_program_says_what_it_removes() {
    let (_folder, place) = place();
    let looked = printed(program().args(["prune", place.name(), "--older", "0", "--dry-run"]));
    assert!(
        looked.contains("would be removed: 1 manifest and 2 shards, "),
        "{looked}"
    );
    let kept = printed(program().args(["prune", place.name()]));
    assert!(kept.starts_with("removed: 0 manifests and 0 shards, "), "{kept}");
    let pruned = printed(program().args(["prune", place.name(), "--older", "0"]));
    assert_eq!(pruned, looked.replace("would be removed", "removed"));
}
