//! `:relation` of CQL 1: whether a later position has a similar diagram (docs/language/cql1.md#relation)

use chess::{Board, Man};
use language::hir::{Designator, DiagramRelation, DiagramScope, NumberRange};
use language::span::Span;
use language::transform::Dihedral;
use shakmaty::{Bitboard, Role};

use crate::board::shift;
use crate::error::Eval;
use crate::machine::Machine;
use crate::value::square_count;

/// The squares of each man.
type Men = [Bitboard; Man::KINDS];

/// How the board of the later position is moved before it is compared.
#[derive(Clone, Copy, Debug)]
struct Placement {
    dihedral: Option<Dihedral>,
    dx: i32,
    dy: i32,
}

impl Placement {
    /// Where squares go; those that leave the board are lost.
    fn image(self, squares: Bitboard) -> Bitboard {
        let turned = self.dihedral.map_or(squares, |dihedral| dihedral.squares(squares));
        shift(turned, self.dx, self.dy)
    }
}

impl<'a> Machine<'a, '_> {
    /// Whether some later position relates to this one.
    pub(crate) fn diagram_relation(&mut self, relation: &'a DiagramRelation, span: Span) -> Eval<bool> {
        let mut area = Bitboard::FULL;
        if let Some(designators) = &relation.area {
            area = Bitboard::EMPTY;
            for designator in designators {
                area |= self.set(designator)?;
            }
        }
        let game = self.game;
        let here = men(game.board(self.node));
        for later in self.node + 1..=game.last_descendant(self.node) {
            self.step(span)?;
            let in_scope = match relation.scope {
                DiagramScope::All => true,
                DiagramScope::Mainline => game.depth(later) == 0,
                DiagramScope::Variations => game.depth(later) > 0,
            };
            let board = game.board(later);
            let same_side = board.turn() == self.board().turn();
            if in_scope
                && relation.same_side.is_none_or(|wanted| wanted == same_side)
                && relates(relation, area, &here, &men(board))
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn men(board: &Board) -> Men {
    let mut men = [Bitboard::EMPTY; Man::KINDS];
    for (squares, man) in men.iter_mut().zip(Man::all()) {
        *squares = board.of(man);
    }
    men
}

fn occupied(men: &Men) -> Bitboard {
    men.iter().fold(Bitboard::EMPTY, |all, &squares| all | squares)
}

/// The squares where the same man stands.
fn shared(a: &Men, b: &Men) -> Bitboard {
    a.iter().zip(b).fold(Bitboard::EMPTY, |same, (&a, &b)| same | (a & b))
}

fn within(set: Bitboard, range: NumberRange) -> bool {
    range.contains(square_count(set))
}

/// Whether two diagrams are related in some placement of the later one.
fn relates(relation: &DiagramRelation, area: Bitboard, here: &Men, later: &Men) -> bool {
    if let Some(range) = relation.same
        && !within(shared(here, later) & area, range)
    {
        return false;
    }
    if let Some(range) = relation.different {
        let same = shared(here, later) | (!occupied(here) & !occupied(later));
        if !within(area & !same, range) {
            return false;
        }
    }
    let dihedrals = Dihedral::ALL.into_iter().map(Some).filter(|_| relation.flip);
    let dihedrals = std::iter::once(None).chain(dihedrals);
    let king = unmissable_king(relation);
    for dihedral in dihedrals {
        let still = Placement { dihedral, dx: 0, dy: 0 };
        if !relation.shift {
            if agrees(relation, area, here, later, still) {
                return true;
            }
            continue;
        }
        let offsets = || (-7..=7).flat_map(|dx| (-7..=7).map(move |dy| (dx, dy)));
        let found = match king {
            // The king can only stand where it stood.
            Some(king) => match (here[king].single_square(), still.image(later[king]).single_square()) {
                (Some(to), Some(from)) => {
                    let (dx, dy) = (
                        i32::from(to.file()) - i32::from(from.file()),
                        i32::from(to.rank()) - i32::from(from.rank()),
                    );
                    agrees(relation, area, here, later, Placement { dx, dy, ..still })
                }
                _ => offsets().any(|(dx, dy)| agrees(relation, area, here, later, Placement { dx, dy, ..still })),
            },
            None => offsets().any(|(dx, dy)| agrees(relation, area, here, later, Placement { dx, dy, ..still })),
        };
        if found {
            return true;
        }
    }
    false
}

/// A king that has to stand on the same square in both diagrams, because it may not be missing.
fn unmissable_king(relation: &DiagramRelation) -> Option<usize> {
    if relation.area.is_some() {
        return None;
    }
    let may_miss = |man: Man| {
        let Designator { men, squares } = relation.missing;
        relation.missing_range.max > 0 && men.contains(man) && squares.any()
    };
    [shakmaty::Color::White, shakmaty::Color::Black]
        .map(|color| Man::new(color, Role::King))
        .into_iter()
        .find(|&king| !may_miss(king))
        .map(Man::index)
}

/// Whether two diagrams agree on the area: no square with two different men, and as many missing and new as wanted.
fn agrees(relation: &DiagramRelation, area: Bitboard, here: &Men, later: &Men, placement: Placement) -> bool {
    let later = later.map(|squares| placement.image(squares));
    let same = shared(here, &later);
    let (before, after) = (occupied(here) & area, occupied(&later) & area);
    if (before & after & !same).any() {
        return false;
    }
    let (missing, new) = (before & !after, after & !before);
    let may_miss = squares_of(&relation.missing, here);
    let may_be_new = squares_of(&relation.new, &later);
    // What is missing or new beside that makes it another diagram.
    (missing & !may_miss).is_empty()
        && (new & !may_be_new).is_empty()
        && within(missing, relation.missing_range)
        && within(new, relation.new_range)
}

/// The squares of a designator's men.
fn squares_of(designator: &Designator, men: &Men) -> Bitboard {
    let held = designator.men.iter().filter_map(|man| men.get(man.index()));
    held.fold(Bitboard::EMPTY, |all, &squares| all | squares) & designator.squares
}
