//! docs/seeds.md: every sentence of the documents that cqldex began with has a number and an example.

use super::document::root;

/// The numbers of a paragraph that begins with some: `**1.1, 3.1** ...`.
fn numbers(line: &str) -> Vec<(u32, u32)> {
    let Some((bold, _)) = line.strip_prefix("**").and_then(|rest| rest.split_once("**")) else {
        return Vec::new();
    };
    let number = |text: &str| {
        let (document, sentence) = text.split_once('.')?;
        Some((document.parse().ok()?, sentence.parse().ok()?))
    };
    bold.split(", ").filter_map(number).collect()
}

#[test]
fn every_sentence_of_the_first_documents_has_an_example() {
    let text = std::fs::read_to_string(root().join("docs/seeds.md")).expect("the page is there");
    let mut found: Vec<(u32, u32)> = Vec::new();
    // The numbers whose paragraph has no example yet.
    let mut open: Vec<(u32, u32)> = Vec::new();
    for line in text.lines() {
        if line.starts_with("```cql") {
            open.clear();
        }
        let numbers = numbers(line);
        if !numbers.is_empty() || line.starts_with('#') {
            assert!(open.is_empty(), "no example follows {open:?}");
        }
        open.extend(&numbers);
        found.extend(numbers);
    }
    assert!(open.is_empty(), "no example follows {open:?}");
    for document in 0..5 {
        let sentences: Vec<u32> = found
            .iter()
            .filter(|(of, _)| *of == document)
            .map(|(_, number)| *number)
            .collect();
        let expected: Vec<u32> = (1..).take(sentences.len()).collect();
        assert_eq!(
            sentences, expected,
            "the sentences of document {document} are numbered from 1"
        );
        assert!(sentences.len() > 20, "document {document} says more");
    }
}
