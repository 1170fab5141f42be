//! `relation` as `echo` (docs/language/cql5.md#translation).

use super::{Printed, Printer, within, without_equivalent};
use crate::dialect::cql5::ast::{Parameter, Relation, Sort, Squares};
use crate::hir::{EchoTransform, LcaDistance, NumberRange};
use crate::span::Span;
use crate::transform::{Dihedral, Map};

/// The names of the two positions of an `echo`.
struct Positions {
    source: String,
    target: String,
}

impl Printer {
    pub(super) fn relation(&mut self, relation: &Relation, span: Span) -> Printed {
        let names = Positions {
            source: self.name("Source"),
            target: self.name("Target"),
        };
        let mut parts = Vec::new();
        for filter in &relation.targets {
            parts.push(self.element(filter)?);
        }
        for parameter in &relation.parameters {
            parts.push(self.parameter(parameter, &names, span)?);
        }
        // CQL 6.2 refuses an `ancestor` at the end of an `echo`.
        if parts.last().is_some_and(|last| last.starts_with("ancestor")) {
            parts.push("true".to_owned());
        }
        let quiet = self.quiet();
        let Positions { source, target } = names;
        Ok(format!("echo{quiet} ({source} {target}) {{{}}}", parts.join(" ")))
    }

    fn parameter(&mut self, parameter: &Parameter, names: &Positions, span: Span) -> Printed {
        let Positions { source, target } = names;
        Ok(match parameter {
            Parameter::ToMove(true) => format!("sidetomove=={source}:sidetomove"),
            Parameter::ToMove(false) => format!("sidetomove!={source}:sidetomove"),
            Parameter::Ancestor => format!("ancestor({target} {source})"),
            Parameter::Descendant => format!("ancestor({source} {target})"),
            Parameter::Distance(to, range, sort) => {
                let way = |end: &str| format!("distance(lca({source} {target}) {end})");
                let value = match to {
                    LcaDistance::Source => way(source),
                    LcaDistance::Target => way(target),
                    LcaDistance::Max => format!("max({} {})", way(source), way(target)),
                    LcaDistance::Sum => format!("({}+{})", way(source), way(target)),
                };
                self.maybe_sorted(&value, *range, sort.as_ref())
            }
            Parameter::CommonMoves(range, sort) => {
                let quiet = self.quiet();
                let moves = format!(
                    "consecutivemoves{quiet} {} {} ({source} {target})",
                    range.min, range.max
                );
                match sort {
                    Some(sort) => format!("sort{} {{{moves}}}", self.sort_title(sort)),
                    None => format!("{{{moves}}}"),
                }
            }
            Parameter::Squares(squares) => match squares.echo {
                None => self.squares(squares, names)?,
                Some(echo) if echo.is_shift() => shifted(squares, echo, names, span)?,
                Some(echo) => self.mirrored(squares, echo, names)?,
            },
        })
    }

    fn maybe_sorted(&mut self, value: &str, range: NumberRange, sort: Option<&Sort>) -> String {
        match sort {
            Some(sort) => {
                let value = super::value_within(value, range);
                format!("sort{} {{{value}}}", self.sort_title(sort))
            }
            None => format!("{{{}}}", within(value, range)),
        }
    }

    /// The comparison set, if it is not the whole board.
    fn comparison_set(
        &mut self,
        squares: &Squares,
        names: &Positions,
    ) -> Result<Option<String>, Box<crate::Diagnostic>> {
        let source = match &squares.source {
            Some(set) => Some(format!("{}:{}", names.source, self.set(set)?)),
            None => None,
        };
        let target = squares.target.as_ref().map(|set| self.set(set)).transpose()?;
        Ok(match (source, target) {
            (Some(source), Some(target)) => Some(format!("({source} & {target})")),
            (Some(set), None) | (None, Some(set)) => Some(format!("({set})")),
            (None, None) => None,
        })
    }

    /// Positions as they stand.
    fn squares(&mut self, squares: &Squares, names: &Positions) -> Printed {
        let same = format!("({} & {})", names.source, names.target);
        let set = self.comparison_set(squares, names)?;
        let mut parts = Vec::new();
        if let Some(range) = squares.matching {
            parts.push(match &set {
                None => within(&format!("#{same}"), range),
                Some(set) => within(&format!("#({set} & {same})"), range),
            });
        }
        if let Some(range) = squares.mismatching {
            parts.push(match &set {
                None if range == (NumberRange { min: 0, max: 0 }) => format!("{same}==."),
                None => within(&format!("#(~{same})"), range),
                Some(set) => within(&format!("#({set} & ~{same})"), range),
            });
        }
        Ok(conditions(&parts))
    }

    /// Positions seen through the maps of a dihedral echo.
    fn mirrored(&mut self, squares: &Squares, echo: EchoTransform, names: &Positions) -> Printed {
        let set = self.comparison_set(squares, names)?;
        let named = set.as_ref().map(|_| self.name("Set"));
        let mut ways = Vec::new();
        for map in echo.maps() {
            ways.push(match &named {
                None => self.whole_board(squares, map, names),
                Some(set) => self.part_of_board(squares, (map, set), names),
            });
        }
        let any = match &ways[..] {
            [only] => only.clone(),
            _ => format!("{{{}}}", ways.join(" or ")),
        };
        Ok(match (named, set) {
            (Some(name), Some(set)) => format!("{{{name}={set} {any}}}"),
            _ => any,
        })
    }

    fn whole_board(&mut self, squares: &Squares, map: Map, names: &Positions) -> String {
        let x = self.name("Square");
        let image = makesquare(inverse(map), &x);
        let same = format!("piecename {x}=={}:piecename {image}", names.source);
        let mut parts = Vec::new();
        if let Some(range) = squares.matching {
            parts.push(within(&format!("#(square {x} in . {{{same}}})"), range));
        }
        match squares.mismatching {
            Some(NumberRange { min: 0, max: 0 }) => parts.push(format!("{{square all {x} in . {{{same}}}}}")),
            Some(range) => parts.push(within(&format!("#(square {x} in . {{not {{{same}}}}})"), range)),
            None => {}
        }
        conditions(&parts)
    }

    /// Squares of the set against their images, and squares of the set that are no image against emptiness.
    fn part_of_board(&mut self, squares: &Squares, (map, set): (Map, &str), names: &Positions) -> String {
        let (x, y) = (self.name("Square"), self.name("Square"));
        let same = format!("piecename {}=={}:piecename {x}", makesquare(map, &x), names.source);
        let covered = format!("{} in {set}", makesquare(inverse(map), &y));
        let count = |test: &str, men: &str| {
            format!("(#(square {x} in {set} {{{test}}})+#(square {y} in ({set} & {men}) {{not {{{covered}}}}}))")
        };
        let mut parts = Vec::new();
        if let Some(range) = squares.matching {
            parts.push(within(&count(&same, "_"), range));
        }
        if let Some(range) = squares.mismatching {
            parts.push(within(&count(&format!("not {{{same}}}"), "[Aa]"), range));
        }
        conditions(&parts)
    }
}

/// Several conditions as one; all positions match none.
fn conditions(parts: &[String]) -> String {
    if parts.is_empty() {
        return "true".to_owned();
    }
    format!("{{{}}}", parts.join(" "))
}

/// A board that is moved as a whole: the white king says how far.
fn shifted(squares: &Squares, echo: EchoTransform, names: &Positions, span: Span) -> Printed {
    let restricted = squares.source.is_some() || squares.target.is_some();
    let is_copy = squares
        .mismatching
        .is_some_and(|range| range.min <= 0 && range.max == 0)
        && squares.matching.is_none_or(|range| range.contains(64));
    if restricted || !is_copy {
        return Err(without_equivalent(
            if squares.span == Span::default() {
                span
            } else {
                squares.span
            },
            "CQL 6.2 has no filter that counts the mismatches of shifted boards",
            "only `(mismatch 0)` behind an echo shift can be written in CQL 6.2, as an exact copy",
        ));
    }
    let source = &names.source;
    let moved = match echo {
        EchoTransform::ShiftHorizontal => "Ranks==0 not {Files==0}",
        EchoTransform::ShiftVertical => "Files==0 not {Ranks==0}",
        _ => "not {Files==0 Ranks==0}",
    };
    Ok(format!(
        "{{Ranks={source}:rank K-rank K Files={source}:file K-file K {moved} #[Aa]=={source}:#[Aa] \
         square all Man in [Aa] {{piecename Man=={source}:piecename makesquare(file Man+Files rank Man+Ranks)}}}}"
    ))
}

/// The square that a map sends a square to.
fn makesquare(map: Map, square: &str) -> String {
    let (file, rank) = (format!("file {square}"), format!("rank {square}"));
    let (other_file, other_rank) = (format!("9-{file}"), format!("9-{rank}"));
    let (to_file, to_rank) = match map {
        Map::Dihedral(Dihedral::ReflectV) => (other_file, rank),
        Map::Dihedral(Dihedral::ReflectH) => (file, other_rank),
        Map::Dihedral(Dihedral::Rotate180) => (other_file, other_rank),
        Map::Dihedral(Dihedral::ReflectA1H8) => (rank, file),
        Map::Dihedral(Dihedral::ReflectA8H1) => (other_rank, other_file),
        Map::Dihedral(Dihedral::CounterClockwise90) => (other_rank, file),
        Map::Dihedral(Dihedral::Clockwise90) => (rank, other_file),
        Map::Shift { .. } | Map::Color | Map::Rotate45(_) | Map::Sticky(_) => (file, rank),
    };
    format!("makesquare({to_file} {to_rank})")
}

/// The map that undoes a map of the board's symmetries.
fn inverse(map: Map) -> Map {
    match map {
        Map::Dihedral(Dihedral::CounterClockwise90) => Map::Dihedral(Dihedral::Clockwise90),
        Map::Dihedral(Dihedral::Clockwise90) => Map::Dihedral(Dihedral::CounterClockwise90),
        other => other,
    }
}
