//! Filters about moves, and about positions that were not in the game.

use super::{Extent, Grammar, Scope, Value};

impl Grammar {
    /// One side of a move operator.
    fn side(&mut self, depth: u32, scope: &Scope) -> String {
        match self.below(4) {
            0 => String::new(),
            1 if depth > 0 => self.set(depth.min(1), scope),
            2 => self
                .known(&scope.pieces)
                .or_else(|| self.known(&scope.sets))
                .unwrap_or_default(),
            _ => self.designator(),
        }
    }

    /// A move without a target.
    pub(super) fn dash(&mut self, depth: u32, scope: &Scope) -> String {
        let (left, right) = (self.side(depth, scope), self.side(depth, scope));
        match self.below(8) {
            0 | 1 => format!("{left}[x]{right}"),
            2 => format!(
                "{left}--{right}{}",
                self.pick(&["=Q", "=A", "=[RN]", "=\"N\"", "=\"QR\""])
            ),
            _ => format!("{left}--{right}"),
        }
    }

    /// A move with a target now and then.
    fn move_with_target(&mut self, depth: u32, scope: &Scope) -> String {
        let dash = self.dash(depth, scope);
        match self.below(3) {
            0 if depth > 0 => format!("{dash}({})", self.truth(depth - 1, scope)),
            _ => dash,
        }
    }

    /// A condition on moves.
    pub(super) fn moving(&mut self, depth: u32, scope: &Scope) -> String {
        match self.below(4) {
            0 | 1 => format!("({})", self.move_with_target(depth, scope)),
            2 => {
                let word = self.pick(&["currentmove", "previous"]);
                format!("({word} {})", self.dash(depth.min(1), scope))
            }
            _ => self.move_filter(depth, scope),
        }
    }

    fn move_parameters(&mut self, legal: bool, depth: u32, scope: &Scope) -> String {
        let mut text = String::new();
        for parameter in ["from", "to", "capture"] {
            if !(legal && parameter == "capture" && scope.extent != Extent::Extended) && self.below(3) == 0 {
                text += &format!(" {parameter} {}", self.set(depth.min(1), scope));
            }
        }
        text
    }

    fn move_filter(&mut self, depth: u32, scope: &Scope) -> String {
        let parameters = self.move_parameters(false, depth, scope);
        let more = self.pick(&[
            "",
            "",
            "",
            "promote Q",
            "promote A",
            "enpassant",
            "enpassantsquare P",
            "castle",
            "o-o",
            "o-o-o",
            "null",
            "primary",
            "secondary",
        ]);
        let previous = self.pick(&["", "", "previous"]);
        let comment = match previous.is_empty() && !scope.imagined && self.below(5) == 0 {
            true => format!("comment({})", self.anything(0, scope)),
            false => String::new(),
        };
        format!("(move{parameters} {more} {previous} {comment})")
    }

    /// A `move` whose value is a set of squares.
    pub(super) fn move_set(&mut self, depth: u32, scope: &Scope) -> String {
        let first = self.pick(&["from", "to", "capture"]);
        let squares = self.set(depth.min(1), scope);
        let more = match first {
            "capture" => self.pick(&["", "", "previous", "secondary"]),
            _ => self.pick(&[
                "",
                "",
                "previous",
                "legal",
                "pseudolegal",
                "primary",
                "promote [QN]",
                "castle",
            ]),
        };
        format!("(move {first} {squares} {more})")
    }

    /// The squares that possible moves go to.
    pub(super) fn possible(&mut self, depth: u32, scope: &Scope) -> String {
        let word = self.pick(&["legal", "pseudolegal"]);
        let (left, right) = (self.side(depth, scope), self.side(depth, scope));
        let target = self.pick(&["", "", "", "(o-o)", "(castle)", "(enpassant)"]);
        format!("({word} {left}--{right}{target})")
    }

    /// How many moves there are.
    pub(super) fn count_of_moves(&mut self, depth: u32, scope: &Scope) -> String {
        let (left, right) = (self.side(depth, scope), self.side(depth, scope));
        match self.below(5) {
            0 | 1 => format!("(countmoves {left}--{right})"),
            2 => format!("(countmoves {} {left}--{right})", self.pick(&["legal", "pseudolegal"])),
            3 => {
                let word = self.pick(&["legal", "pseudolegal"]);
                format!("(move {word}{} count)", self.move_parameters(true, depth, scope))
            }
            _ => format!("(countmoves move from {} legal)", self.set(0, scope)),
        }
    }

    /// A filter that is asked on another board.
    pub(super) fn imagined(&mut self, value: Value, depth: u32, scope: &Scope) -> String {
        let inside = Scope {
            imagined: true,
            ..scope.clone()
        };
        let depth = depth.min(1);
        match (value, self.below(3)) {
            (Value::Truth, 0) => {
                let all = self.pick(&["", "all"]);
                let parameters = self.move_parameters(true, 0, scope);
                format!("(move legal{parameters} {all} : {})", self.truth(depth, &inside))
            }
            (Value::Set, 0) => {
                let first = self.pick(&["from", "to"]);
                format!(
                    "(move {first} {} legal : {})",
                    self.set(0, scope),
                    self.truth(depth, &inside)
                )
            }
            (Value::Number, 0) => {
                let parameters = self.move_parameters(true, 0, scope);
                format!("(move legal{parameters} count : {})", self.truth(depth, &inside))
            }
            _ => {
                let changes = [
                    "sidetomove reverse",
                    "sidetomove white",
                    "remove [Nn]",
                    "remove a-h1-4",
                    "add Qd4",
                    "add p[a3,h6]",
                    "move K to e4",
                    "add r on {_ & h1-8}",
                ];
                let (first, second) = (self.pick(&changes), self.pick(&changes));
                let target = self.value(value, depth, &inside);
                format!("(imagine {first} {second} : {target})")
            }
        }
    }
}
