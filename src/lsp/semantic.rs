//! Colors of a text, for editors that ask a server for them.

use std::collections::HashMap;

use cqldex::editor::{Class, NameKind, entry};
use lsp_types::{SemanticToken, SemanticTokenType, SemanticTokens, SemanticTokensLegend};

use super::open::Open;

/// The types in the order of their numbers.
const TYPES: [SemanticTokenType; 9] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::NUMBER,
    SemanticTokenType::STRING,
    SemanticTokenType::TYPE,
    SemanticTokenType::OPERATOR,
    SemanticTokenType::COMMENT,
];

/// Longer texts have no colors.
const LONGEST: usize = 500_000;

pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: TYPES.to_vec(),
        token_modifiers: Vec::new(),
    }
}

/// The colors of a text. A piece of several lines has a token for each.
pub(super) fn tokens(open: &Open) -> SemanticTokens {
    let text = open.text();
    if text.len() > LONGEST {
        return SemanticTokens::default();
    }
    let names = open.document.names().iter();
    let names: HashMap<usize, NameKind> = names
        .flat_map(|name| name.places.iter().map(|place| (place.start, name.kind)))
        .collect();
    let (mut data, mut before) = (Vec::new(), lsp_types::Position::default());
    for piece in open.document.pieces() {
        let written = &text[piece.range.clone()];
        let name = names.get(&piece.range.start).copied();
        let Some(token_type) = token_type(piece.class, name, written) else {
            continue;
        };
        let mut start = piece.range.start;
        for line in written.split_inclusive('\n') {
            let end = start + line.trim_end().len();
            let (from, to) = (open.place(start), open.place(end));
            start += line.len();
            if to.line != from.line || to.character <= from.character {
                continue;
            }
            data.push(SemanticToken {
                delta_line: from.line - before.line,
                delta_start: match from.line == before.line {
                    true => from.character - before.character,
                    false => from.character,
                },
                length: to.character - from.character,
                token_type,
                token_modifiers_bitset: 0,
            });
            before = from;
        }
    }
    SemanticTokens { result_id: None, data }
}

fn token_type(class: Class, name: Option<NameKind>, written: &str) -> Option<u32> {
    let found = match class {
        Class::Keyword => SemanticTokenType::KEYWORD,
        Class::Name => match name {
            Some(NameKind::Function) => SemanticTokenType::FUNCTION,
            Some(NameKind::Parameter) => SemanticTokenType::PARAMETER,
            // A word of an extension.
            None if entry(written).is_some() => SemanticTokenType::KEYWORD,
            _ => SemanticTokenType::VARIABLE,
        },
        Class::Number => SemanticTokenType::NUMBER,
        Class::String => SemanticTokenType::STRING,
        Class::Designator => SemanticTokenType::TYPE,
        Class::Dash | Class::Operator => SemanticTokenType::OPERATOR,
        Class::Comment => SemanticTokenType::COMMENT,
        Class::Bracket | Class::Other => return None,
    };
    let index = TYPES.iter().position(|kind| *kind == found)?;
    u32::try_from(index).ok()
}
