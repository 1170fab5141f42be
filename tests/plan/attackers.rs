//! How many men attack each square of the board, which the index finds for all squares together.

use super::routes::found_by_index;
use super::samples::samples;

const QUERIES: [&str; 12] = [
    "square x in A {#(a attacks x) > #(A attacks x)}",
    "flipcolor {square x in [NBRQ] {a attacks x #(A attacks x)==0}}",
    "square x in . {#(A attacks x)>=3 #(a attacks x)>=3}",
    "square x in a-h4-5 {#([Aa] attacks x)==5}",
    "square x in _ {#([Pp] attacks x)==2}",
    "square x in . {#(N attacks x)>=2}",
    "square x in . {not [NK] attacks x B attacks x not q attacks x}",
    "#(square x in . {#([Rr] attacks x)>=2}) > 3",
    "square all x in a-h3-6 {A attacks x or a attacks x}",
    "square x in . {#(A attacks x) - #(a attacks x) >= 4}",
    "wtm square x in a {#(A attacks x)>=2} find 1 3 {square x in A {#(a attacks x)>=3}}",
    "square x in A {#(a attacks x) > #(A attacks x)} child:{square x in A {#(a attacks x) > #(A attacks x)}}",
];

#[test]
fn attackers_of_every_square_are_counted_together() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let snapshot = samples(folder.path()).snapshot();
    for text in QUERIES {
        let found = found_by_index(&snapshot, text);
        assert!(found > 0, "{text}");
        println!("{found} {text}");
    }
}
