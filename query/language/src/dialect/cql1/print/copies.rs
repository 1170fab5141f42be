//! Transforms: the words of CQL 6.2 where they mean the same copies, else the copies themselves.
//!
//! A shift of CQL 6 differs where squares of the edge are named or copies fall off the board
//! (docs/language/cql1.md#shifts-of-cql-1-and-cql-6). Whether that matters for a list is found by expanding both kinds
//! and comparing the copies.

use shakmaty::{Bitboard, Rank, Role};

use super::Printer;
use crate::expand::{signature, variants};
use crate::hir::{Designator, Filter, Node, Range};
use crate::transform::{Sticky, Transform};

/// How many copies are written out.
const MAX_COPIES: usize = 500;

/// The keywords that CQL 6 has, too, the outermost first.
const SHARED: [(Sticky, Transform); 7] = [
    (Sticky::FLIP_COLOR, Transform::FlipColor),
    (Sticky::FLIP, Transform::Flip),
    (Sticky::FLIP_VERTICAL, Transform::FlipVertical),
    (Sticky::FLIP_HORIZONTAL, Transform::FlipHorizontal),
    (Sticky::SHIFT, Transform::Shift),
    (Sticky::SHIFT_HORIZONTAL, Transform::ShiftHorizontal),
    (Sticky::SHIFT_VERTICAL, Transform::ShiftVertical),
];

impl Printer<'_> {
    /// A list below its transforms, or the copies that came of one.
    pub(super) fn copies(&mut self, filter: &Filter) -> String {
        let (range, argument) = match &filter.node {
            Node::Transform {
                transform: Transform::Sticky(sticky),
                range,
                argument,
                ..
            } => {
                if let Some(words) = words(*sticky, argument) {
                    let count = if *range == Some(Range::Count) { " count" } else { "" };
                    let argument = self.block(argument);
                    return format!("{{{}{count} {argument}}}", words.join(" "));
                }
                (*range, filter)
            }
            Node::Orbit { range, .. } => (*range, filter),
            _ => return self.missing("this transform", filter.span),
        };
        if range.is_some() {
            return self.missing("the number of these transformed copies", filter.span);
        }
        let Ok(variants) = variants(argument) else {
            return self.missing("so many transformed copies", filter.span);
        };
        if variants.len() > MAX_COPIES {
            let what = format!("these {} transformed copies in a readable size", variants.len());
            return self.missing(&what, filter.span);
        }
        match &variants[..] {
            [] => "false".to_owned(),
            [only] => self.block(only),
            variants => {
                let blocks: Vec<String> = variants.iter().map(|variant| self.block(variant)).collect();
                format!("{{{}}}", blocks.join(" or "))
            }
        }
    }
}

/// The keywords of CQL 6 for transforms of a list, if they make the same copies of it.
fn words(sticky: Sticky, argument: &Filter) -> Option<Vec<&'static str>> {
    let is_nested = argument.any(&mut |filter| {
        matches!(
            filter.node,
            Node::Transform { .. } | Node::NoTransform(_) | Node::DiagramRelation(_) | Node::RegexMatch(..)
        )
    });
    let shared: Vec<(Sticky, Transform)> = SHARED
        .into_iter()
        .filter(|(keyword, _)| sticky.contains(*keyword))
        .collect();
    let all = shared
        .iter()
        .fold(Sticky::NONE, |all, (keyword, _)| all.union(*keyword));
    if is_nested || all != sticky {
        return None;
    }
    let wrap = |argument: Filter, transform: Transform| {
        let (span, kind) = (argument.span, argument.kind);
        let node = Node::Transform {
            transform,
            range: None,
            distinct: true,
            argument: Box::new(argument),
        };
        Filter::new(node, kind, span)
    };
    let modern = shared
        .iter()
        .rev()
        .fold(argument.clone(), |inner, (_, transform)| wrap(inner, *transform));
    let copies = |filter: Filter| -> Option<Vec<Vec<u64>>> {
        let mut signatures: Vec<Vec<u64>> = variants(&filter)
            .ok()?
            .iter()
            .filter(|copy| !is_dead(copy))
            .map(signature)
            .collect();
        signatures.sort_unstable();
        signatures.dedup();
        Some(signatures)
    };
    let same = copies(wrap(argument.clone(), Transform::Sticky(sticky)))? == copies(modern)?;
    same.then(|| shared.iter().map(|(_, transform)| transform.keyword()).collect())
}

/// Whether a copy asks for a pawn where none can stand.
fn is_dead(copy: &Filter) -> bool {
    match &copy.node {
        Node::Designator(Designator { men, squares }) => {
            let ends = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
            (*squares & !ends).is_empty() && men.iter().all(|man| man.role() == Some(Role::Pawn))
        }
        Node::Compound(list) => list.iter().any(is_dead),
        _ => false,
    }
}
