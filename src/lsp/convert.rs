//! What is known of a text, in the words of the protocol.

use std::ops::Range;

use cqldex::editor::{CompletionKind, NameKind};
use cqldex::{Diagnostic, Severity};
use lsp_types::{
    CompletionItemKind, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, DocumentChanges, Location,
    NumberOrString, OneOf, OptionalVersionedTextDocumentIdentifier, SymbolKind, TextDocumentEdit, TextEdit,
    WorkspaceEdit,
};
use serde_json::json;

use super::client::Client;
use super::open::Open;

/// So many diagnostics of a text are published.
const MOST: usize = 200;

/// The diagnostics of a text.
pub(super) fn diagnostics(open: &Open, client: &Client) -> Vec<lsp_types::Diagnostic> {
    let found = open.checked.diagnostics.iter().take(MOST);
    found.map(|found| diagnostic(found, open, client)).collect()
}

/// One of them.
pub(super) fn diagnostic(found: &Diagnostic, open: &Open, client: &Client) -> lsp_types::Diagnostic {
    let related = found
        .related
        .as_ref()
        .filter(|_| client.related_places)
        .map(|(span, text)| {
            let location = Location::new(open.uri.clone(), open.range(span.range()));
            vec![DiagnosticRelatedInformation {
                location,
                message: text.clone(),
            }]
        });
    let code = found.code.text();
    let tags = code.starts_with("W2").then(|| vec![DiagnosticTag::UNNECESSARY]);
    lsp_types::Diagnostic {
        range: open.range(visible(found.span.range(), open.text())),
        severity: Some(match found.severity() {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some("cqldex".to_owned()),
        message: message(found),
        related_information: related,
        tags,
        ..lsp_types::Diagnostic::default()
    }
}

/// Message, label and help, each on a line.
fn message(found: &Diagnostic) -> String {
    let mut message = found.message.clone();
    if !found.label.is_empty() && found.label != found.message {
        message = format!("{message}: {}", found.label);
    }
    match &found.help {
        Some(help) => format!("{message}\n{help}"),
        None => message,
    }
}

/// A place that can be seen: where nothing stands, the character before.
fn visible(bytes: Range<usize>, text: &str) -> Range<usize> {
    let end = bytes.end.min(text.len());
    match text
        .get(..end)
        .and_then(|before| before.trim_end().char_indices().next_back())
    {
        Some((start, letter)) if bytes.start >= end => start..start + letter.len_utf8(),
        _ => bytes.start..end,
    }
}

/// Changes of a text.
pub(super) fn edit(open: &Open, client: &Client, edits: Vec<TextEdit>) -> WorkspaceEdit {
    if !client.versioned_edits {
        // The map of the crate has keys that can change.
        let changes = json!({ "changes": { open.uri.as_str(): edits } });
        return serde_json::from_value(changes).unwrap_or_default();
    }
    let text_document = OptionalVersionedTextDocumentIdentifier {
        uri: open.uri.clone(),
        version: Some(open.version),
    };
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![TextDocumentEdit {
            text_document,
            edits: edits.into_iter().map(OneOf::Left).collect(),
        }])),
        ..WorkspaceEdit::default()
    }
}

/// The change that makes another text of this one, as small as it can be in one piece.
pub(super) fn replacement(open: &Open, new: &str) -> Option<TextEdit> {
    let old = open.text();
    if old == new {
        return None;
    }
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = old
        .chars()
        .zip(new.chars())
        .take_while(same)
        .map(|(letter, _)| letter.len_utf8())
        .sum();
    let rest = old[start..].chars().rev().zip(new[start..].chars().rev());
    let end: usize = rest.take_while(same).map(|(letter, _)| letter.len_utf8()).sum();
    Some(TextEdit {
        range: open.range(start..old.len() - end),
        new_text: new[start..new.len() - end].to_owned(),
    })
}

pub(super) fn symbol_kind(kind: NameKind) -> SymbolKind {
    match kind {
        NameKind::Function => SymbolKind::FUNCTION,
        NameKind::Dictionary => SymbolKind::OBJECT,
        NameKind::Variable | NameKind::Parameter => SymbolKind::VARIABLE,
    }
}

pub(super) fn completion_kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Name(NameKind::Function) => CompletionItemKind::FUNCTION,
        CompletionKind::Name(_) => CompletionItemKind::VARIABLE,
        CompletionKind::Follower | CompletionKind::Word => CompletionItemKind::KEYWORD,
        CompletionKind::Men => CompletionItemKind::CONSTANT,
        CompletionKind::Set => CompletionItemKind::REFERENCE,
        CompletionKind::Value => CompletionItemKind::VALUE,
    }
}
