//! Attacks on a king by the posting lists of checks.
//!
//! The king of the side to move is attacked where it is check, and the index knows by which men. The king of the other
//! side is hardly ever attacked; these positions have a list ([`Term::Exposed`]), and only there the attack is computed
//! from the squares.

use chess::Man;
use language::hir::{Comparison, ManSet};
use postings::Term;
use shakmaty::{Bitboard, Color, Role};

use super::last_move::turn;
use super::possible::possible_men;
use super::{NumberExpr, SetExpr, Truth};

/// An attack of some men of one color on the king of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KingAttack {
    /// The color of the king.
    color: Color,
    /// The men that may attack it.
    men: ManSet,
    /// Whether the attackers are all of these men on the board, and the king may stand on any square.
    everywhere: bool,
}

impl KingAttack {
    /// Recognises an attack on one king in `from attacks to`.
    pub(crate) fn of(from: &SetExpr, to: &SetExpr) -> Option<KingAttack> {
        let men = possible_men(from);
        let king = |color| ManSet::from_man(Man::new(color, Role::King));
        let own = |color: Color| color.fold_wb(ManSet::WHITE, ManSet::BLACK);
        let color = Color::ALL
            .into_iter()
            .find(|&color| possible_men(to) == king(color) && own(!color).is_superset(men))?;
        let is_everywhere = |set: &SetExpr| matches!(set, SetExpr::Contents(_, Bitboard::FULL));
        Some(KingAttack {
            color,
            men,
            everywhere: is_everywhere(from) && is_everywhere(to),
        })
    }

    /// What must hold for at least `n` of the men to attack the king.
    pub(crate) fn at_least(self, n: i32) -> Truth {
        let twice = if n > 1 {
            Truth::Term(Term::DoubleCheck)
        } else {
            Truth::Always
        };
        self.by_turn(Truth::all([self.check(), twice]), Truth::Always)
    }

    /// Where a set of attackers, or of attacked kings, has a square: by posting lists, if these are exact.
    pub(crate) fn any(self, set: &SetExpr) -> Option<Truth> {
        self.everywhere
            .then(|| self.by_turn(self.check(), Truth::Any(Box::new(set.clone()))))
    }

    /// Where there are at least `n` attackers, two or more, if the lists help to decide it.
    pub(crate) fn count_at_least(self, attackers: &SetExpr, n: i32) -> Option<Truth> {
        if !self.everywhere || n < 2 {
            return None;
        }
        let counted = Truth::Compare(
            Comparison::GreaterEqual,
            Box::new(NumberExpr::Count(attackers.clone())),
            Box::new(NumberExpr::Constant(n)),
        );
        let all = self.color.fold_wb(ManSet::BLACK, ManSet::WHITE);
        let twice = Truth::Term(Term::DoubleCheck);
        let in_check = if n == 2 && self.men.is_superset(all) {
            twice
        } else {
            Truth::all([self.check(), twice, counted.clone()])
        };
        Some(self.by_turn(in_check, counted))
    }

    /// Where one of the men gives check.
    fn check(self) -> Truth {
        let gives = |role: &Role| self.men.contains(Man::new(!self.color, *role));
        let roles: Vec<Role> = Role::ALL.into_iter().filter(gives).collect();
        if roles.len() == Role::ALL.len() {
            return Truth::Term(Term::Check);
        }
        Truth::any(roles.into_iter().map(|role| Truth::Term(Term::CheckBy(role))))
    }

    /// One condition where the side of the king is to move, another where its opponent is and it is attacked.
    fn by_turn(self, to_move: Truth, exposed: Truth) -> Truth {
        let turn = turn(self.color);
        Truth::any([
            Truth::all([turn.clone(), to_move]),
            Truth::all([turn.not(), Truth::Term(Term::Exposed), exposed]),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contents(men: ManSet, squares: Bitboard) -> SetExpr {
        SetExpr::Contents(men, squares)
    }

    fn attack(men: ManSet, squares: Bitboard) -> Option<KingAttack> {
        let king = ManSet::from_man(Man::new(Color::Black, Role::King));
        KingAttack::of(&contents(men, squares), &contents(king, Bitboard::FULL))
    }

    #[test]
    fn an_attack_on_a_king_needs_a_check() {
        let whites = attack(ManSet::WHITE, Bitboard::FULL).unwrap();
        assert_eq!(whites.check(), Truth::Term(Term::Check));
        assert_ne!(whites.at_least(1), Truth::Always);
        let knight = attack(ManSet::from_man(Man::new(Color::White, Role::Knight)), Bitboard::FULL).unwrap();
        assert_eq!(knight.check(), Truth::Term(Term::CheckBy(Role::Knight)));
        // Men of both colors: a king may well stand next to his own.
        assert_eq!(attack(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL), None);
    }

    #[test]
    fn only_all_men_of_a_kind_are_told_exactly() {
        let set = contents(ManSet::WHITE, Bitboard::FULL);
        assert!(attack(ManSet::WHITE, Bitboard::FULL).unwrap().any(&set).is_some());
        assert!(
            attack(ManSet::WHITE, Bitboard::LIGHT_SQUARES)
                .unwrap()
                .any(&set)
                .is_none()
        );
    }
}
