//! Variants of a transform that differ in squares only: they are computed side by side.

use std::collections::HashMap;

use super::lower::{Lowering, with_operands};
use super::{Fold, Id, Op};

/// Fewer variants are computed one after the other.
const MIN_LANES: usize = 8;

/// Where the squares of a template come from.
#[derive(Debug)]
enum Holes<'h> {
    /// Every designator gets a hole of its own.
    All,
    /// Only these; the others stand as they are. By hole: its new number.
    Some(&'h [Option<u16>]),
}

impl Lowering<'_> {
    /// The same parts, with families in the place of those that are alike but for their squares.
    pub(super) fn families(&mut self, fold: Fold, parts: Vec<Id>) -> Vec<Id> {
        if parts.len() < MIN_LANES {
            return parts;
        }
        let mut order = Vec::new();
        let mut groups: HashMap<Id, Vec<(Id, Vec<u64>)>> = HashMap::new();
        for part in parts {
            let mut columns = Vec::new();
            let template = self.template(part, &Holes::All, &mut columns);
            let group = groups.entry(template).or_insert_with(|| {
                order.push(template);
                Vec::new()
            });
            group.push((part, columns));
        }
        let mut found = Vec::new();
        for template in order {
            let group = groups.remove(&template).unwrap_or_default();
            match self.family(fold, &group) {
                Some(family) => found.push(family),
                None => found.extend(group.iter().map(|&(part, _)| part)),
            }
        }
        found
    }

    /// The union of sets. What is true of a union as it is of its parts is done once, with the union: steps in a
    /// direction, attacks on the same squares.
    pub(super) fn unite(&mut self, parts: Vec<Id>) -> Id {
        if let [only] = parts[..] {
            return only;
        }
        let first = parts.first().map(|&part| self.get(part).clone());
        let inner: Option<Vec<Id>> = parts
            .iter()
            .map(|&part| match (&first, self.get(part)) {
                (Some(Op::Along(a, b, c, _)), Op::Along(d, e, f, inner)) if (a, b, c) == (d, e, f) => Some(*inner),
                (Some(Op::Attacks(_, a)), Op::Attacks(inner, b)) if a == b => Some(*inner),
                (Some(Op::AttackedBy(_, a)), Op::AttackedBy(inner, b)) if a == b => Some(*inner),
                _ => None,
            })
            .collect();
        if let (Some(first), Some(inner)) = (first, inner) {
            let inner = self.unite(inner);
            return match first {
                Op::Along(directions, min, max, _) => self.op(Op::Along(directions, min, max, inner)),
                Op::Attacks(_, to) => self.op(Op::Attacks(inner, to)),
                Op::AttackedBy(_, from) => self.op(Op::AttackedBy(inner, from)),
                other => unreachable!("{other:?} has no part of this kind"),
            };
        }
        let parts = self.families(Fold::Union, parts);
        match parts[..] {
            [only] => only,
            _ => self.op(Op::Union(parts.into())),
        }
    }

    /// The family of some parts with one template.
    fn family(&mut self, fold: Fold, group: &[(Id, Vec<u64>)]) -> Option<Id> {
        let (first, columns) = group.first().filter(|_| group.len() >= MIN_LANES)?;
        let mut kept = Vec::new();
        let mut table: Vec<Box<[u64]>> = Vec::new();
        for (index, &squares) in columns.iter().enumerate() {
            let differs = group.iter().any(|(_, columns)| columns[index] != squares);
            kept.push(if differs {
                Some(u16::try_from(table.len()).ok()?)
            } else {
                None
            });
            if differs {
                table.push(group.iter().map(|(_, columns)| columns[index]).collect());
            }
        }
        let template = self.template(*first, &Holes::Some(&kept), &mut Vec::new());
        let table = self.add_table(table)?;
        Some(self.op(Op::Family { fold, template, table }))
    }

    /// The operation with holes in the place of squares; what was there is added to `columns`.
    fn template(&mut self, id: Id, holes: &Holes<'_>, columns: &mut Vec<u64>) -> Id {
        let op = self.get(id).clone();
        let mut hole = |squares: u64| {
            let index = columns.len();
            columns.push(squares);
            match holes {
                Holes::All => u16::try_from(index).ok(),
                Holes::Some(kept) => kept.get(index).copied().flatten(),
            }
        };
        let made = match op {
            Op::Men(men, squares) => match hole(squares.0) {
                Some(hole) => Op::Masked(men, hole),
                None => return id,
            },
            Op::Constant(value) => match hole(value) {
                Some(hole) => Op::Hole(hole),
                None => return id,
            },
            Op::Union(_)
            | Op::Intersection(_)
            | Op::Extremum(..)
            | Op::And(_)
            | Op::Or(_)
            | Op::Along(..)
            | Op::Complement(_)
            | Op::Count(_)
            | Op::Negate(_)
            | Op::Abs(_)
            | Op::Any(_)
            | Op::Exists(_)
            | Op::Not(_)
            | Op::Attacks(..)
            | Op::AttackedBy(..)
            | Op::Between(..)
            | Op::Arithmetic(..)
            | Op::Compare(..)
            | Op::Compared(..)
            | Op::SameSet(..)
            | Op::Subset(..) => match with_operands(op, &mut |part| Some(self.template(part, holes, columns))) {
                Some(made) => made,
                None => return id,
            },
            // The others stand as they are: only variants that share them are of one family.
            _ => return id,
        };
        self.op(made)
    }
}
