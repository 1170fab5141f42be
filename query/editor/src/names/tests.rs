use language::syntax::lex;

use super::*;

/// Names with what they are and how often they stand in a text.
fn found(text: &str) -> Vec<(String, NameKind, usize)> {
    let names = names(text, &lex(text).tokens);
    for name in &names {
        assert!(name.places.contains(&name.definition), "{name:?}");
        assert!(
            name.places.iter().all(|place| text[place.clone()] == name.name),
            "{name:?}"
        );
    }
    names
        .into_iter()
        .map(|name| (name.name, name.kind, name.places.len()))
        .collect()
}

fn one(name: &str, kind: NameKind, places: usize) -> (String, NameKind, usize) {
    (name.to_owned(), kind, places)
}

#[test]
fn variables_are_found_where_they_are_assigned() {
    use NameKind::Variable;
    assert_eq!(found("x = 3 x += 1 y"), [one("x", Variable, 2)]);
    assert_eq!(found("square all s in A { s attacks k }"), [one("s", Variable, 2)]);
    assert_eq!(found("piece man in A man attacks k"), [one("man", Variable, 2)]);
    assert_eq!(found("[Aa]man = K man"), [one("man", Variable, 2)]);
    assert_eq!(found("s [element] A s"), [one("s", Variable, 2)]);
    assert_eq!(
        found("echo quiet (s t) in all s & t"),
        [one("s", Variable, 2), one("t", Variable, 2)]
    );
    assert_eq!(
        found("consecutivemoves 2 3 (s t)"),
        [one("s", Variable, 1), one("t", Variable, 1)]
    );
    assert_eq!(found("x = 1 isbound \"x\" message \"x\""), [one("x", Variable, 2)]);
    assert!(found("clock > 3 nothing").is_empty());
}

#[test]
fn dictionaries_and_functions_are_names() {
    use NameKind::{Dictionary, Function, Parameter, Variable};
    let text = "local dictionary D D[\"a\"] = 3 string name in D message name function f(s t) { s attacks t own = 1 } f(K k) own";
    assert_eq!(
        found(text),
        [
            one("D", Dictionary, 3),
            one("name", Variable, 2),
            one("f", Function, 2),
            one("s", Parameter, 2),
            one("t", Parameter, 2),
            one("own", Variable, 2)
        ]
    );
}

#[test]
fn parameters_are_known_in_their_function_only() {
    let text = "x = 1 function f(x) { x + 1 } function g(y) { x + y } f(x)";
    use NameKind::{Function, Parameter, Variable};
    assert_eq!(
        found(text),
        [
            one("x", Variable, 3),
            one("f", Function, 2),
            one("x", Parameter, 2),
            one("g", Function, 1),
            one("y", Parameter, 2)
        ]
    );
}

#[test]
fn a_function_can_assign_its_argument() {
    use NameKind::{Function, Parameter, Variable};
    let text = "function set(v) { v = 3 } set(count1) count1 == 3";
    assert_eq!(
        found(text),
        [
            one("set", Function, 2),
            one("v", Parameter, 2),
            one("count1", Variable, 2)
        ]
    );
}

#[test]
fn texts_with_errors_have_names() {
    use NameKind::{Function, Parameter, Variable};
    assert_eq!(
        found("function f(s { s x = ) x"),
        [one("f", Function, 1), one("s", Parameter, 2), one("x", Variable, 2)]
    );
    assert!(found("function").is_empty());
    assert!(found("function function (").is_empty());
}
