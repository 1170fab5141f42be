//! CQL 1 to 3 and CQL-S: match lists of position lists (docs/language/cql1.md).
//!
//! Text becomes nested lists ([`list`]), these become match lists with their keywords and designators read ([`read`],
//! [`position`]), and those become filters of the typed tree ([`lower`], [`games`]).

mod ast;
mod cqls;
mod cursor;
mod designator;
mod game;
mod games;
mod keyword;
mod list;
mod lower;
mod make;
mod material;
mod moves;
mod position;
mod print;
mod range;
mod read;
mod reader;
mod repetition;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::ParsedQuery;
use crate::parse::ParseOptions;
use crate::span::Span;
use crate::transform::Transform;

/// Parses a match list, or position lists alone.
///
/// # Errors
/// The first thing that is wrong; filters and variables of a command line, which are written in CQL 6.
pub fn parse(text: &str, options: &ParseOptions) -> Result<ParsedQuery, Vec<Diagnostic>> {
    if !options.before.is_empty() || !options.game_filters.is_empty() {
        let message = "filters and variables of the command line are CQL 6.2, and the query is CQL 1";
        let diagnostic = Diagnostic::new(Code::MisplacedKeyword, Span::default(), message);
        return Err(vec![
            diagnostic.help("translate the query, or write conditions into it"),
        ]);
    }
    let found = read::read(text).map_err(|diagnostic| vec![*diagnostic])?;
    let mut query = games::query(&found).map_err(|diagnostic| vec![*diagnostic])?;
    for &transform in options.transforms.iter().rev() {
        wrap(&mut query, transform);
    }
    Ok(query)
}

/// Writes a match list in CQL 6.2.
///
/// # Errors
/// The first thing that is wrong with the text, or every part that CQL 6.2 has no equivalent for.
pub fn translate(text: &str) -> Result<String, Vec<Diagnostic>> {
    print::print(&parse(text, &ParseOptions::default())?)
}

/// Puts a transform of the command line around the body.
fn wrap(query: &mut ParsedQuery, transform: Transform) {
    let span = query.body.span;
    let inner = std::mem::replace(&mut query.body, make::all(Vec::new(), span));
    let node = crate::hir::Node::Transform {
        transform,
        range: None,
        distinct: true,
        argument: Box::new(inner),
    };
    query.body = make::logical(node, span);
}
