//! What an editor can do with a text: corrections, other spellings, and the matches in a database.

use cqldex::{Dialect, to_ascii, to_unicode, translate};
use lsp_types::{CodeAction, CodeActionContext, CodeActionKind, CodeActionOrCommand, Command, TextEdit};
use serde_json::json;

use super::client::Client;
use super::convert;
use super::open::Open;

/// Writes what matches to a file and shows it; its argument is the text's address.
pub(super) const SHOW_MATCHES: &str = "cqldex.showMatches";

/// All that can be done at a place of a text.
pub(super) fn actions(
    open: &Open,
    range: lsp_types::Range,
    context: &CodeActionContext,
    database: Option<&str>,
    client: &Client,
) -> Vec<CodeActionOrCommand> {
    let mut actions = fixes(open, range, client);
    actions.extend(rewrites(open, client));
    actions.extend(
        database
            .filter(|_| open.checked.query.is_some())
            .map(|database| show_matches(open, database)),
    );
    actions.retain(|action| is_wanted(action, context));
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}

fn is_wanted(action: &CodeAction, context: &CodeActionContext) -> bool {
    let kind = action.kind.as_ref().map_or("", |kind| kind.as_str());
    let is_below = |wanted: &CodeActionKind| {
        let rest = kind.strip_prefix(wanted.as_str());
        wanted.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    context.only.as_ref().is_none_or(|only| only.iter().any(is_below))
}

/// What the diagnostics in a range suggest.
fn fixes(open: &Open, range: lsp_types::Range, client: &Client) -> Vec<CodeAction> {
    let found = open
        .checked
        .diagnostics
        .iter()
        .map(|found| (found, convert::diagnostic(found, open, client)));
    let touching = found.filter(|(_, shown)| shown.range.start <= range.end && range.start <= shown.range.end);
    let mut actions = Vec::new();
    for (found, shown) in touching {
        for (number, fix) in found.fixes.iter().enumerate() {
            let edit = |edit: &cqldex::Edit| TextEdit::new(open.range(edit.span.range()), edit.replacement.clone());
            let edits = fix.edits.iter().map(edit).collect();
            actions.push(CodeAction {
                title: capitalized(&fix.title),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![shown.clone()]),
                edit: Some(convert::edit(open, client, edits)),
                is_preferred: Some(number == 0),
                ..CodeAction::default()
            });
        }
    }
    actions
}

/// Other ways to write the text.
fn rewrites(open: &Open, client: &Client) -> Vec<CodeAction> {
    let text = open.text();
    let is_old = !matches!(open.document.dialect(), Dialect::Cql6 | Dialect::Cqli | Dialect::Auto);
    let texts = match is_old {
        true => vec![("Write it in CQL 6.2", translate(text, open.document.dialect()).ok())],
        false => vec![
            ("Write it with symbols", to_unicode(text).ok()),
            ("Write it in ASCII", to_ascii(text).ok()),
        ],
    };
    let action = |(title, new): (&str, Option<String>)| {
        let edit = convert::replacement(open, &new?)?;
        Some(CodeAction {
            title: title.to_owned(),
            kind: Some(CodeActionKind::REFACTOR_REWRITE),
            edit: Some(convert::edit(open, client, vec![edit])),
            ..CodeAction::default()
        })
    };
    texts.into_iter().filter_map(action).collect()
}

fn show_matches(open: &Open, database: &str) -> CodeAction {
    let title = format!("Show what matches in {database}");
    CodeAction {
        command: Some(command(open, title.clone())),
        title,
        kind: Some(CodeActionKind::EMPTY),
        ..CodeAction::default()
    }
}

/// The command that shows what matches.
pub(super) fn command(open: &Open, title: String) -> Command {
    Command::new(title, SHOW_MATCHES.to_owned(), Some(vec![json!(open.uri.as_str())]))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
