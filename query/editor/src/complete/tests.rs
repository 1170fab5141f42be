use super::*;

/// The labels at the `^` of a text.
fn at(text: &str) -> Vec<String> {
    let place = text.find('^').unwrap_or(text.len());
    let text = text.replacen('^', "", 1);
    let offered = |what: Quoted, typed: &str| {
        let names: &[&str] = match what {
            Quoted::Set => &["forks"],
            Quoted::Player => &["Tal, Mikhail", "Talbot", "T\"l"],
            _ => &["else"],
        };
        let begin = names.iter().filter(|name| name.starts_with(typed));
        let item = |name: &&str| Completion {
            label: (*name).to_owned(),
            kind: CompletionKind::Value,
            detail: String::new(),
        };
        begin.map(item).collect()
    };
    let found = Document::new(text, Dialect::Auto).complete(place, &offered);
    found.items.into_iter().map(|item| item.label).collect()
}

#[track_caller]
fn has(text: &str, wanted: &[&str], unwanted: &[&str]) {
    let found = at(text);
    for word in wanted {
        assert!(found.iter().any(|own| own == word), "{text}: no {word} in {found:?}");
    }
    for word in unwanted {
        assert!(!found.iter().any(|own| own == word), "{text}: {word} in {found:?}");
    }
}

#[test]
fn filters_can_stand_nearly_everywhere() {
    has(
        "^",
        &["mate", "flip", "cql", "K", "."],
        &["attacks", "quiet", "matchcount"],
    );
    has("K ^", &["attacks", "and", "mate"], &["quiet"]);
    has("flip { K ^", &["attacks", "and", "mate"], &["quiet"]);
    has("flip { ma^ } mate", &["mate", "mainline", "max"], &["attacks"]);
    assert_eq!(at("Kg1 stalem^"), ["stalemate"]);
}

#[test]
fn the_header_has_its_own_words() {
    has(
        "cql(^",
        &[
            "input",
            "output",
            "variations",
            "matchcount",
            "gamenumber",
            "quiet",
            "silent",
            "result",
            "matchstring",
            "sort",
        ],
        &["mate", "flip", "K"],
    );
    has("cql(quiet ma^) mate", &["matchcount", "matchstring"], &["mate", "max"]);
    assert_eq!(at("cql(sort m^"), ["matchcount"]);
}

#[test]
fn words_follow_their_words() {
    has("square ^", &["all"], &["mate", "K"]);
    has("square x ^", &["in"], &["mate"]);
    has("move ^", &["from", "to", "capture", "legal"], &[]);
    has("persistent ^", &["quiet", "dictionary"], &["mate"]);
    assert_eq!(at("move ^")[..2].iter().filter(|word| begins_filter(word)).count(), 0);
}

#[test]
fn kinds_decide() {
    has("ray (^", &["K", "light"], &["mate", "ply"]);
    has("x = 3 y = K abs ^", &["x", "ply"], &["y", "mate"]);
    has("mate ^", &["and", "or", "flip"], &["attacks"]);
}

#[test]
fn names_come_before_words() {
    let found = at("flipped = 3 flip^");
    assert_eq!(found[0], "flipped");
    assert!(found.contains(&"flipcolor".to_owned()), "{found:?}");
    has("early = 3 ^ late = 4", &["early"], &["late"]);
    has("function f(part) { pa^ }", &["part", "path"], &[]);
    has("function f(part) { mate } pa^", &["path"], &["part"]);
}

#[test]
fn an_error_before_does_not_hide_words() {
    has("unknown { ^", &["mate", "attacks", "flip"], &["quiet"]);
}

#[test]
fn names_of_games_are_offered_in_texts() {
    assert_eq!(at("positionset \"fo^\""), ["forks"]);
    assert!(at("comment \"Tal^\"").is_empty());
    for text in [
        "player \"Tal^",
        "player /* of */ white \"Tal^\" mate",
        "player black\n\"Tal^\" mate",
    ] {
        assert_eq!(at(text), ["Tal, Mikhail", "Talbot"], "{text}");
    }
    assert!(at("player \"Tal\"^").is_empty());
    assert_eq!(at("player \"^\"").len(), 2);
    assert_eq!(at("event \"e^\""), ["else"]);
    assert_eq!(at("tag \"white^\""), ["White", "WhiteElo"]);
    assert_eq!(at("settag(\"ann^\""), ["Annotator"]);
}

#[test]
fn nothing_is_offered_in_comments_and_numbers() {
    for text in ["// ma^", "mate /* ma^ */", "12^", "comment \"ma^\"", "Ra1^"] {
        assert!(at(text).is_empty(), "{text}: {:?}", at(text));
    }
    assert!(!at("/* done */^").is_empty());
}
