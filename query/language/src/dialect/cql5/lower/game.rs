//! Filters that read the game's header or write into the game, and `sort`.

use shakmaty::Color;

use super::{Lowered, Lowering, hir, logical, number, within};
use crate::dialect::cql5::ast::{Filter, Node, Sort};
use crate::hir::{Kind, Metadata, SortId, SortKey, SortOrder};
use crate::span::Span;

/// Whether a text contains another.
fn contains(text: &str, metadata: Metadata, span: Span) -> hir::Filter {
    let string = |node| Box::new(hir::Filter::new(node, Kind::String, span));
    let needle = string(hir::Node::String(text.to_owned()));
    let node = hir::Node::Substring(needle, string(hir::Node::Metadata(metadata)));
    logical(node, span)
}

impl Lowering {
    pub(super) fn game_filter(&mut self, filter: &Filter) -> Lowered {
        let span = filter.span;
        Ok(match &filter.node {
            Node::Result(outcome) => logical(hir::Node::Result(*outcome), span),
            Node::Player(color, name) => {
                let metadata = color.map_or(Metadata::BothPlayers, Metadata::Player);
                contains(name, metadata, span)
            }
            Node::Event(text) => contains(text, Metadata::Event, span),
            Node::Site(text) => contains(text, Metadata::Site, span),
            Node::HasComment(text) => contains(text, Metadata::Comment, span),
            // Without a color either player will do.
            Node::Elo(None, Some(range)) => {
                let rating = |color| Box::new(within(number(hir::Node::Elo(Some(color)), span), *range));
                logical(hir::Node::Or(rating(Color::White), rating(Color::Black)), span)
            }
            Node::CommentText(text) => {
                let text = hir::Filter::new(hir::Node::String(text.clone()), Kind::String, span);
                logical(hir::Node::Comment(vec![text]), span)
            }
            Node::CommentSet(argument) => logical(hir::Node::Comment(vec![self.set(argument)?]), span),
            Node::Sort(sort, argument) => {
                let argument = self.number(argument, false)?;
                let id = self.sort_key(sort);
                let argument = Box::new(argument);
                let order = self.sorts[id.0 as usize].order;
                number(hir::Node::Sort { id, order, argument }, span)
            }
            _ => unreachable!("called with filters of this list only"),
        })
    }

    /// The key with this title; the first `sort` of a title decides about it.
    pub(super) fn sort_key(&mut self, sort: &Sort) -> SortId {
        let name = sort.title.clone().unwrap_or_else(|| {
            self.unnamed_sorts += 1;
            format!("<sort-id-{}>", self.unnamed_sorts)
        });
        let known = self.sorts.iter().position(|key| key.name == name);
        let index = known.unwrap_or_else(|| {
            self.sorts.push(SortKey {
                name,
                order: if sort.smallest_first {
                    SortOrder::Ascending
                } else {
                    SortOrder::Descending
                },
                quiet: self.silent,
                kind: Kind::Numeric,
            });
            self.sorts.len() - 1
        });
        SortId::at(index)
    }
}
