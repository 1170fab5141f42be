//! Random filters about positions that were not in the game.

use super::{Generator, TRANSFORMS};

impl Generator {
    /// A filter that is asked behind moves that were not played, or on a board that is changed, alone or beside others.
    pub(crate) fn imagined(&mut self) -> String {
        let imagined = self.imagining(1);
        let plain = self.kernel_part();
        match self.below(9) {
            0 => format!("{plain} {imagined}"),
            1 => format!("({imagined}) or {{{plain}}}"),
            2 => format!("not {imagined} {plain}"),
            3 => format!("{} {{{imagined}}}", self.pick(&TRANSFORMS[..2])),
            4 => {
                let name = self.name();
                let (men, target) = (self.pick(&["N", "[QRq]", "A", "p"]), self.kernel_set());
                format!("piece {name} in {men} {{move from {name} legal : {{{name} attacks {target}}}}}")
            }
            5 => {
                let name = self.name();
                format!(
                    "{name} = {} {{{imagined}}} {name} & {}",
                    self.kernel_set(),
                    self.kernel_set()
                )
            }
            _ => imagined,
        }
    }

    /// `move ... : F` or `imagine ... : F`; `depth` says how many may stand inside each other.
    fn imagining(&mut self, depth: u32) -> String {
        // Moves behind moves of all moves would take all the time that there is.
        let form = self.below(8);
        let target = self.target(if form < 2 { depth } else { 0 });
        let comparison = self.pick(&["<", ">=", "=="]);
        match form {
            0 | 1 => format!("(imagine {} : {target})", self.changes()),
            2 => format!(
                "({{move {} count : {target}}} {comparison} {})",
                self.moves(),
                self.below(4)
            ),
            3 => format!("(move {} all : {target})", self.moves()),
            4 => format!(
                "({{move {} count all : {target}}} {comparison} {})",
                self.moves(),
                self.below(30)
            ),
            5 => {
                let first = self.pick(&["from", "to", "capture"]);
                let (set, other) = (self.kernel_set(), self.kernel_set());
                format!("((move {first} {{{set}}} legal : {target}) & {other})")
            }
            6 => format!("(move from {{{}}} : {target})", self.kernel_set()),
            _ => format!("(move {} : {target})", self.moves()),
        }
    }

    fn moves(&mut self) -> String {
        let mut text = self.pick(&["legal", "legal", "legal", "pseudolegal"]).to_owned();
        for parameter in ["from", "to", "capture"] {
            if self.below(4) == 0 {
                text += &format!(" {parameter} {{{}}}", self.kernel_set());
            }
        }
        text + self.pick(&["", "", "", "", " castle", " enpassant", " promote [QN]"])
    }

    fn changes(&mut self) -> String {
        let changes: Vec<String> = (0..=self.below(2)).map(|_| self.change()).collect();
        changes.join(" ")
    }

    fn change(&mut self) -> String {
        let man = self.pick(&["Q", "r", "N", "b", "P"]);
        match self.below(6) {
            0 | 1 => format!("remove {{{}}}", self.kernel_set()),
            2 => format!("add {man}{}", self.pick(&["d4", "e6", "[a3,h6]"])),
            3 => format!("add {man} on {{_ & {}}}", self.kernel_set()),
            4 => format!(
                "move {} to {}",
                self.pick(&["K", "k", "Q"]),
                self.pick(&["e4", "c6", "g1"])
            ),
            _ => format!("sidetomove {}", self.pick(&["reverse", "reverse", "white", "black"])),
        }
    }

    /// What is asked there.
    fn target(&mut self, depth: u32) -> String {
        let (a, b) = (self.kernel_set(), self.kernel_set());
        let comparison = self.pick(&["<", ">=", "=="]);
        match self.below(22) {
            0..=2 => "mate".to_owned(),
            3..=5 => "check".to_owned(),
            6 => "stalemate".to_owned(),
            7 | 8 => format!("{{{a} attacks {b}}}"),
            9 => format!("{{#({a} attackedby {b}) {comparison} {}}}", self.below(3)),
            10 => format!("{{#{a} {comparison} {}}}", self.below(3)),
            11 => "{power A > power a}".to_owned(),
            12 => format!("(parent : {{{a} attacks {b}}})"),
            13 => "{power [Aa] < (parent : power [Aa])}".to_owned(),
            14 => format!("{{{a} & {}}}", self.pick(&["pin", "to", "from", "passedpawns"])),
            15 => self
                .pick(&["legalposition", "castle", "enpassant", "{move previous from [QR]}"])
                .to_owned(),
            16 => {
                let name = self.name();
                format!("(piece {name} in {a} {{{name} attacks {b}}})")
            }
            17 => format!("(not {})", self.target(0)),
            18 => format!("{{{} {}}}", self.target(0), self.target(0)),
            19 => format!("{{move from {a} legal}}"),
            20 if depth > 0 => self.imagining(depth - 1),
            _ => format!("{{{a} {b}}}"),
        }
    }
}
