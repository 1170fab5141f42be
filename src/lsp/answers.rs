//! Answers about a text that is open.

use cqldex::editor::{CompletionKind, Completions, Name, NameKind};
use cqldex::{Layout, format_query};
use lsp_types::{
    CodeLens, CompletionItem, CompletionList, CompletionTextEdit, DocumentHighlight, DocumentSymbol, Documentation,
    Hover, HoverContents, Location, MarkupContent, MarkupKind, Position, PrepareRenameResponse, TextEdit,
    WorkspaceEdit,
};
use serde_json::json;

use super::client::Client;
use super::convert;
use super::open::Open;
use super::refusal::Refusal;

/// What is known of the word at a place.
pub(super) fn hover(open: &Open, at: Position, client: &Client) -> Option<Hover> {
    let hover = open.document.hover(open.byte(at))?;
    Some(Hover {
        contents: HoverContents::Markup(markup(hover.markdown(), client)),
        range: Some(open.range(hover.range)),
    })
}

/// Markdown, or the same without its code marks.
fn markup(text: String, client: &Client) -> MarkupContent {
    match client.markdown {
        true => MarkupContent {
            kind: MarkupKind::Markdown,
            value: text,
        },
        false => MarkupContent {
            kind: MarkupKind::PlainText,
            value: text
                .lines()
                .filter(|line| !line.starts_with("```"))
                .collect::<Vec<_>>()
                .join("\n")
                .replace('`', ""),
        },
    }
}

/// What can stand at a place, as an editor takes it.
pub(super) fn completions(open: &Open, found: Completions, client: &Client) -> CompletionList {
    let range = open.range(found.range);
    let is_values = |kind| matches!(kind, CompletionKind::Value | CompletionKind::Set);
    // Names of games are a choice of those that fit what is typed.
    let is_incomplete = found.items.is_empty() || found.items.iter().any(|item| is_values(item.kind));
    let items = found.items.into_iter().enumerate().map(|(number, item)| {
        let (form, meaning) = match item.detail.split_once(": ") {
            Some((form, meaning)) if item.kind != CompletionKind::Value => (form.to_owned(), Some(meaning.to_owned())),
            _ => (item.detail, None),
        };
        CompletionItem {
            kind: Some(convert::completion_kind(item.kind)),
            detail: Some(form).filter(|form| !form.is_empty()),
            documentation: meaning.map(|text| Documentation::MarkupContent(markup(text, client))),
            // Names may be found by a part of them.
            filter_text: is_values(item.kind)
                .then(|| open.text()[open.byte(range.start)..open.byte(range.end)].to_owned()),
            sort_text: Some(format!("{number:04}")),
            text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, item.label.clone()))),
            label: item.label,
            ..CompletionItem::default()
        }
    });
    CompletionList {
        is_incomplete,
        items: items.collect(),
    }
}

/// Where the name at a place is defined.
pub(super) fn definition(open: &Open, at: Position) -> Option<Location> {
    let (name, _) = open.document.name_at(open.byte(at))?;
    Some(Location::new(open.uri.clone(), open.range(name.definition.clone())))
}

/// Where the name at a place stands.
pub(super) fn references(open: &Open, at: Position, with_definition: bool) -> Vec<Location> {
    let Some((name, _)) = open.document.name_at(open.byte(at)) else {
        return Vec::new();
    };
    let places = name
        .places
        .iter()
        .filter(|place| with_definition || **place != name.definition);
    let location = |place: &std::ops::Range<usize>| Location::new(open.uri.clone(), open.range(place.clone()));
    places.map(location).collect()
}

/// The same, to mark the places in the text.
pub(super) fn highlights(open: &Open, at: Position) -> Vec<DocumentHighlight> {
    let places = references(open, at, true).into_iter();
    places
        .map(|place| DocumentHighlight {
            range: place.range,
            kind: None,
        })
        .collect()
}

/// The name that would be changed.
pub(super) fn prepare_rename(open: &Open, at: Position) -> Option<PrepareRenameResponse> {
    let (name, range) = open.document.name_at(open.byte(at))?;
    Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: open.range(range),
        placeholder: name.name.clone(),
    })
}

/// The changes that give a name another spelling.
pub(super) fn rename(open: &Open, at: Position, new: &str, client: &Client) -> Result<WorkspaceEdit, Refusal> {
    let places = open.document.rename(open.byte(at), new);
    let places = places.map_err(|error| Refusal::failed(error.to_string()))?;
    let edits = places
        .iter()
        .map(|place| TextEdit::new(open.range(place.clone()), new.to_owned()));
    Ok(convert::edit(open, client, edits.collect()))
}

/// Functions, variables and dictionaries.
pub(super) fn symbols(open: &Open) -> Vec<DocumentSymbol> {
    let names = open
        .document
        .names()
        .iter()
        .filter(|name| name.kind != NameKind::Parameter);
    let symbol = |name: &Name| {
        #[allow(deprecated, reason = "the field has to be given")]
        DocumentSymbol {
            name: name.name.clone(),
            detail: None,
            kind: convert::symbol_kind(name.kind),
            tags: None,
            deprecated: None,
            range: open.range(name.whole.clone()),
            selection_range: open.range(name.definition.clone()),
            children: None,
        }
    };
    names.map(symbol).collect()
}

/// The change that lays out a text; none if it has an error.
pub(super) fn format(open: &Open) -> Option<Vec<TextEdit>> {
    let laid_out = format_query(open.text(), Layout::default()).ok()?;
    Some(convert::replacement(open, &laid_out).into_iter().collect())
}

/// The place of the lens with the counts; what it says is asked for later.
pub(super) fn lenses(open: &Open) -> Vec<CodeLens> {
    let is_query = open.checked.query.is_some();
    let lens = CodeLens {
        range: lsp_types::Range::default(),
        command: None,
        data: Some(json!({ "uri": open.uri.as_str() })),
    };
    is_query.then_some(lens).into_iter().collect()
}
