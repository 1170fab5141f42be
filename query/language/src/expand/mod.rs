//! Turns every transform into the orbit of its distinct variants (docs/language/transforms.md#distinct-variants,
//! docs/language/transforms.md#transforms-inside-transforms).

mod doubt;
mod hoist;
mod inline;
mod rewrite;
mod signature;

use std::collections::HashSet;

use crate::diagnostic::{Code, Diagnostic};
use crate::facts::Part;
use crate::hir::{Comparison, Filter, Node, ParsedQuery, Query, Range, SequenceId};
use crate::span::Span;
use crate::transform::{Map, Transform};
use rewrite::{NoImage, rewrite};
pub(crate) use signature::signature;

/// How many filters an expanded query may have: `flip shift flipcolor` of a body of a few hundred filters.
pub const MAX_EXPANSION: usize = 2_000_000;

/// Why the transforms of a query can't be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// `rotate45` turns directions only.
    #[error("`rotate45` turns directions only, and this filter names squares")]
    Rotate45(Span),
    /// `similarposition` is transformed by itself.
    #[error("`similarposition` cannot be transformed: it finds the images of positions by itself")]
    SimilarPosition(Span),
    /// The expansion has more than [`MAX_EXPANSION`] filters.
    #[error("the transforms of this query expand to more than {MAX_EXPANSION} filters")]
    TooLarge(Span),
}

impl From<ExpandError> for Diagnostic {
    fn from(error: ExpandError) -> Diagnostic {
        match error {
            ExpandError::Rotate45(span) => Diagnostic::new(Code::BadTransform, span, error.to_string())
                .help("use `rotate90` or `flip`, or put `notransform` before the filter"),
            ExpandError::SimilarPosition(span) => Diagnostic::new(Code::BadTransform, span, error.to_string())
                .help("take it out of the transform, or put `notransform` before the filter"),
            ExpandError::TooLarge(span) => Diagnostic::new(Code::TooManyVariants, span, error.to_string())
                .help("use fewer transforms inside each other, or narrower ones: `shifthorizontal` for `shift`, say"),
        }
    }
}

/// Replaces every [`Node::Transform`] of the query by a [`Node::Orbit`], puts the values of variables in the place of their
/// reads and conditions before loops where that changes nothing, and numbers the filters.
///
/// # Errors
///
/// [`ExpandError::Rotate45`] where `rotate45` meets squares, [`ExpandError::SimilarPosition`] where any transform meets
/// that filter, [`ExpandError::TooLarge`] when transforms multiply beyond [`MAX_EXPANSION`].
pub fn expand(query: ParsedQuery) -> Result<Query, ExpandError> {
    let mut query = expand_transforms(query)?;
    inline::inline(&mut query);
    hoist::hoist(&mut query);
    Ok(numbered(query))
}

/// The same with all variables and loops as they are written: what [`expand`] does with them must not change any answer.
///
/// # Errors
///
/// See [`expand`].
pub fn expand_as_written(query: ParsedQuery) -> Result<Query, ExpandError> {
    Ok(numbered(expand_transforms(query)?))
}

fn numbered(mut query: ParsedQuery) -> Query {
    doubt::note(&mut query.body);
    Query::new(query)
}

fn expand_transforms(mut query: ParsedQuery) -> Result<ParsedQuery, ExpandError> {
    let ParsedQuery {
        body,
        header,
        sequences,
        ..
    } = &mut query;
    let filters = || std::iter::once(&*body).chain(&header.games);
    if filters().any(|filter| filter.any(&mut |part| part.is_transform())) {
        let mut expansion = Expansion::default();
        for filter in std::iter::once(body).chain(&mut header.games) {
            match expansion.copy(filter, &[])? {
                Some(copy) => *filter = copy,
                // Only an orbit without the identity can lose all of its variants.
                None => filter.node = Node::False,
            }
        }
        *sequences = expansion.sequences;
    }
    Ok(query)
}

/// The distinct variants that the outermost transform of a filter makes, or the filter itself if it is no transform.
///
/// # Errors
///
/// See [`expand`].
pub(crate) fn variants(filter: &Filter) -> Result<Vec<Filter>, ExpandError> {
    let copy = Expansion::default().copy(filter, &[])?;
    Ok(match copy {
        None => Vec::new(),
        Some(copy) => match copy.node {
            Node::Orbit { variants, .. } => variants,
            Node::False => Vec::new(),
            _ => vec![copy],
        },
    })
}

#[derive(Default)]
struct Expansion {
    /// Filters made so far.
    built: usize,
    /// `line` and `path` filters made so far: each copy has a memory of its own.
    sequences: u32,
}

impl Expansion {
    /// A copy of the filter, rewritten with the maps (the first one first), its transforms expanded; `None` when the
    /// copy is eliminated.
    fn copy(&mut self, filter: &Filter, maps: &[Map]) -> Result<Option<Filter>, ExpandError> {
        if let Node::Transform {
            transform,
            range,
            distinct,
            argument,
        } = &filter.node
        {
            let product = direct_product(*transform, *range, *distinct, argument);
            return self.orbit(filter, product, maps);
        }
        let mut copy = filter.clone();
        Ok(self.rewrite_in_place(&mut copy, maps)?.then_some(copy))
    }

    /// Rewrites a filter that is already a copy; false when it is eliminated.
    fn rewrite_in_place(&mut self, filter: &mut Filter, maps: &[Map]) -> Result<bool, ExpandError> {
        match &mut filter.node {
            Node::Transform { .. } => {
                let copy = self.copy(filter, maps)?;
                return Ok(copy.map(|copy| *filter = copy).is_some());
            }
            Node::NoTransform(inner) => return self.rewrite_in_place(inner, &[]),
            _ => {}
        }
        self.built += 1;
        if self.built > MAX_EXPANSION {
            return Err(ExpandError::TooLarge(filter.span));
        }
        match rewrite(filter, maps) {
            Ok(()) => {}
            Err(NoImage::Eliminated) => return Ok(false),
            Err(NoImage::SimilarPosition) => return Err(ExpandError::SimilarPosition(filter.span)),
            Err(NoImage::Rotate45) => return Err(ExpandError::Rotate45(filter.span)),
        }
        match &mut filter.node {
            Node::Line(line) => line.id = self.next_sequence(),
            Node::Path(path) => path.id = self.next_sequence(),
            _ => {}
        }
        let mut outcome = Ok(true);
        filter.for_each_child_mut(&mut |child| {
            // An eliminated copy is walked to its end: a `rotate45` error has to be found wherever it stands.
            let here = self.rewrite_in_place(child, maps);
            outcome = match (outcome, here) {
                (Err(error), _) | (Ok(_), Err(error)) => Err(error),
                (Ok(so_far), Ok(here)) => Ok(so_far && here),
            };
        });
        outcome
    }

    fn next_sequence(&mut self) -> SequenceId {
        self.sequences += 1;
        SequenceId(self.sequences - 1)
    }

    /// The orbit of a transform below the outer maps.
    fn orbit(&mut self, filter: &Filter, product: Product<'_>, outer: &[Map]) -> Result<Option<Filter>, ExpandError> {
        let Product {
            lists,
            range,
            distinct,
            sticks,
            argument,
        } = product;
        if lists
            .iter()
            .map(Vec::len)
            .try_fold(1, usize::checked_mul)
            .is_none_or(|ways| ways > MAX_EXPANSION)
        {
            return Err(ExpandError::TooLarge(filter.span));
        }
        // What is far too large is refused at once, and not after two million filters.
        let ways: usize = lists.iter().map(Vec::len).product();
        if outer.is_empty() && ways.saturating_mul(least_built(argument)) > MAX_EXPANSION.saturating_sub(self.built) {
            return Err(ExpandError::TooLarge(filter.span));
        }
        let mut seen = HashSet::new();
        let mut variants = Vec::new();
        for product in products(&lists) {
            let maps: Vec<Map> = product.into_iter().chain(outer.iter().copied()).collect();
            if let Some(variant) = self.copy(argument, &maps)?
                && !(sticks && never_matches(&variant))
            {
                let signature = signature(&variant);
                if seen.insert(signature.clone()) || !distinct {
                    variants.push((signature, variant));
                }
            }
        }
        if variants.is_empty() {
            let nowhere = Filter::new(Node::False, filter.kind, filter.span);
            return Ok(sticks.then_some(nowhere));
        }
        variants.sort_by(|(a, _), (b, _)| a.cmp(b));
        let variants = variants.into_iter().map(|(_, variant)| variant).collect();
        Ok(Some(Filter {
            node: Node::Orbit { range, variants },
            ..*filter
        }))
    }
}

/// How many filters a copy of this one makes at least.
fn least_built(filter: &Filter) -> usize {
    match &filter.node {
        Node::Transform {
            transform,
            range,
            distinct,
            argument,
        } => {
            let Product { lists, argument, .. } = direct_product(*transform, *range, *distinct, argument);
            let ways = lists.iter().map(Vec::len).fold(1, usize::saturating_mul);
            ways.saturating_mul(least_built(argument))
        }
        Node::NoTransform(inner) => least_built(inner),
        _ => {
            let (mut children, mut ends_early) = (0_usize, false);
            filter.for_each_part(&mut |part| match part {
                Part::Child(child) => children = children.saturating_add(least_built(child)),
                // Without squares it has no image, and its children are not copied.
                Part::Designator(_) => ends_early = true,
                _ => {}
            });
            if ends_early { 1 } else { children.saturating_add(1) }
        }
    }
}

/// Transforms that make one orbit.
struct Product<'f> {
    /// The maps of each, the outermost first.
    lists: Vec<Vec<Option<Map>>>,
    range: Option<Range>,
    distinct: bool,
    /// Whether these are transforms of CQL 1, which lose no variant.
    sticks: bool,
    argument: &'f Filter,
}

/// Whether a variant of a position list can't match, because a piece that it asks for has no square left.
fn never_matches(variant: &Filter) -> bool {
    match &variant.node {
        Node::Designator(designator) => designator.squares.is_empty(),
        Node::False => true,
        Node::Compound(list) => list.iter().any(never_matches),
        Node::And(a, b) => never_matches(a) || never_matches(b),
        Node::Move(m) => [&m.from, &m.to].into_iter().flatten().any(never_matches),
        // Some squares of none.
        Node::CompareNumbers(Comparison::Equal | Comparison::GreaterEqual, counted, least) => {
            is_positive(least) && is_no_squares(counted)
        }
        Node::CompareNumbers(Comparison::LessEqual, least, chain) => {
            is_positive(least) && matches!(&chain.node, Node::CompareNumbers(_, counted, _) if is_no_squares(counted))
        }
        _ => false,
    }
}

fn is_positive(number: &Filter) -> bool {
    matches!(number.node, Node::Number(1..))
}

fn is_no_squares(set: &Filter) -> bool {
    matches!(&set.node, Node::Designator(designator) if designator.squares.is_empty())
}

/// A transform that is directly the argument of another without count or range makes one orbit with it, and its own
/// count or range becomes that of the whole.
fn direct_product(transform: Transform, range: Option<Range>, distinct: bool, argument: &Filter) -> Product<'_> {
    let mut product = Product {
        lists: vec![maps(transform, distinct)],
        range,
        distinct,
        sticks: matches!(transform, Transform::Sticky(_)),
        argument,
    };
    while product.range.is_none() {
        match &product.argument.node {
            Node::Transform {
                transform,
                range,
                distinct,
                argument,
            } => {
                product.lists.push(maps(*transform, *distinct));
                product.range = *range;
                product.argument = argument;
            }
            Node::Compound(list) if list.len() == 1 => product.argument = &list[0],
            _ => break,
        }
    }
    product
}

/// The maps of a transform; where equal variants count, the identity stands twice in `flip`, as CQL 5.2 has it
/// (docs/language/cql5.md#counting-transforms).
fn maps(transform: Transform, distinct: bool) -> Vec<Option<Map>> {
    let mut maps = transform.maps();
    if !distinct && transform == Transform::Flip {
        maps.push(None);
    }
    maps
}

/// All ways to take one map of each list, the outer list outermost; the inner map of each way stands first.
fn products(lists: &[Vec<Option<Map>>]) -> Vec<Vec<Map>> {
    let mut ways = vec![Vec::new()];
    for list in lists {
        ways = ways
            .iter()
            .flat_map(|way: &Vec<Map>| {
                list.iter()
                    .map(move |map| map.iter().copied().chain(way.iter().copied()).collect())
            })
            .collect();
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the transforms of a query come to, the number of filters made for it, and the least number that was expected.
    fn built(text: &str) -> (Result<(), ExpandError>, usize, usize) {
        let query = crate::parse(text, &crate::ParseOptions::default()).unwrap();
        let mut expansion = Expansion::default();
        let outcome = expansion.copy(&query.body, &[]).map(|_| ());
        (outcome, expansion.built, least_built(&query.body))
    }

    #[test]
    fn no_more_filters_are_expected_than_are_made() {
        for (text, is_exact) in [
            ("check", true),
            ("flip {Ke4 Qd5}", true),
            ("flip shift flipcolor {Ra1 not Kb1}", true),
            ("shift {shift {Ra1 Kb1} kc1} or notransform flip Ka1", true),
            ("shift notransform {shift {Ra1} Kb1}", true),
            ("rotate90 {up 2 Ka1 path {Ra1 -- check}}", true),
            ("shift (move from Ra1 to b2 or Ka1 attacks {kc1 | Qd4})", true),
            ("flip {find {line --> Ke4 --> check} sort \"a\" #Ra2}", true),
            ("shift Ra1(Qb2 | kc3)", false),
        ] {
            let (outcome, built, least) = built(text);
            assert_eq!(outcome, Ok(()), "{text}");
            assert!(
                least <= built && (!is_exact || least == built),
                "{text}: {least}, {built}"
            );
        }
    }

    #[test]
    fn what_is_far_too_large_is_refused_before_it_is_made() {
        for (text, refused) in [
            ("shift {shift {shift {Ra1 Kb1} kc1} qd1}", "shift {shift {shift"),
            ("check shift {not {shift {Ra1 or shift Kb1}}} mate", "shift {not"),
            ("notransform flip shift {flip shift {Ra1 Kb1} kc1}", "flip shift {flip"),
        ] {
            let (outcome, built, _) = built(text);
            let Err(ExpandError::TooLarge(span)) = outcome else {
                panic!("{text}: {outcome:?}");
            };
            assert_eq!(text.find(refused), Some(span.start as usize), "{text}");
            assert!(built < 5, "{text}: {built}");
        }
    }
}
