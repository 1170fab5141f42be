//! The words that the files for editors color.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

/// The words of filters that CQL 6.2 does not have.
const EXTENSIONS: [&str; 8] = [
    "positionset",
    "clock",
    "movetime",
    "eval",
    "evalbefore",
    "evalchange",
    "imagine",
    "legalposition",
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("editors").join(path)).unwrap()
}

/// All words of the language.
fn wanted() -> BTreeSet<String> {
    cqldex::keywords().chain(EXTENSIONS).map(str::to_owned).collect()
}

#[track_caller]
fn same(found: &BTreeSet<String>) {
    let wanted = wanted();
    let (missing, other): (Vec<_>, Vec<_>) = (wanted.difference(found).collect(), found.difference(&wanted).collect());
    assert!(
        missing.is_empty() && other.is_empty(),
        "missing: {missing:?}; no words: {other:?}"
    );
}

#[test]
fn the_textmate_grammar_has_all_words() {
    let grammar: Value = serde_json::from_str(&read("vscode/syntaxes/chess-cql.tmLanguage.json")).unwrap();
    assert_eq!(grammar["scopeName"], "source.chess-cql");
    let mut found = BTreeSet::new();
    for pattern in grammar["patterns"].as_array().unwrap() {
        let list = pattern["match"]
            .as_str()
            .and_then(|text| text.strip_prefix("(?<![\\w$])(?:"));
        let Some(list) = list.and_then(|list| list.strip_suffix(")(?![\\w$])")) else {
            continue;
        };
        // The other patterns with these ends are about designators.
        if list
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"|_-".contains(&byte))
        {
            found.extend(list.split('|').map(str::to_owned));
        }
    }
    same(&found);
}

#[test]
fn the_grammar_of_vim_has_all_words() {
    let text = read("vim/syntax/chess-cql.vim");
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix("syntax keyword chessCql"));
    let lists = lines.filter(|line| !line.contains(" contained "));
    let mut found: BTreeSet<String> = lists
        .flat_map(|line| line.split(' ').skip(1))
        .map(str::to_owned)
        .collect();
    // A minus sign is no letter of a word there.
    assert!(text.contains("\"\\<o-o\\%(-o\\)\\?\\>\""));
    found.extend(["o-o", "o-o-o"].map(str::to_owned));
    same(&found);
}

#[test]
fn the_extension_of_vs_code_is_whole() {
    let package: Value = serde_json::from_str(&read("vscode/package.json")).unwrap();
    let language = &package["contributes"]["languages"][0];
    assert_eq!(language["id"], "chess-cql");
    for file in [
        package["main"].as_str().unwrap(),
        language["configuration"].as_str().unwrap(),
        package["contributes"]["grammars"][0]["path"].as_str().unwrap(),
    ] {
        assert!(!read(&format!("vscode/{file}")).is_empty());
    }
    assert!(read("vscode/extension.js").contains("'cqldex.showMatches'"));
    let _: Value = serde_json::from_str(&read("vscode/language-configuration.json")).unwrap();
}

#[test]
fn the_piece_of_helix_is_toml() {
    let piece: toml::Table = read("helix/languages.toml").parse().unwrap();
    assert_eq!(piece["language-server"]["cqldex"]["command"].as_str(), Some("cqldex"));
}
