//! Random filters on headers, and games with headers for them.

use super::Generator;

const NAMES: [&str; 8] = ["Adams", "Carlsen, M", "Anand", "a\\\\n", "", "?", "van der Wiel", "nAn"];

impl Generator {
    /// A game with a few of the tags that filters read.
    pub(crate) fn game(&mut self) -> String {
        let mut tags = String::new();
        for name in ["White", "Black", "Event", "Site"] {
            if self.below(8) > 0 {
                tags += &format!("[{name} \"{}\"]\n", self.pick(&NAMES));
            }
        }
        for name in ["Date", "EventDate"] {
            if self.below(4) > 0 {
                let (year, month) = (1990 + self.below(6), 1 + self.below(12));
                tags += &match self.below(3) {
                    0 => format!("[{name} \"{year}.??.??\"]\n"),
                    1 => format!("[{name} \"????.{month:02}.??\"]\n"),
                    _ => format!("[{name} \"{year}.{month:02}.03\"]\n"),
                };
            }
        }
        for name in ["WhiteElo", "BlackElo"] {
            if self.below(4) > 0 {
                tags += &format!("[{name} \"{}\"]\n", 2400 + 50 * self.below(8));
            }
        }
        if self.below(3) > 0 {
            tags += &format!("[ECO \"{}\"]\n", self.pick(&["A00", "B12", "C42", "x"]));
        }
        let result = self.pick(&["1-0", "0-1", "1/2-1/2", "*"]);
        format!("{tags}[Result \"{result}\"]\n\n1. e4 {result}\n\n")
    }

    /// A filter on headers; a few also look at the position.
    pub(crate) fn header(&mut self, depth: u32) -> String {
        if depth > 0 && self.below(3) > 0 {
            let (a, b) = (self.header(depth - 1), self.header(depth - 1));
            return match self.below(5) {
                0 => format!("({a} or {b})"),
                1 => format!("({a} and {b})"),
                2 => format!("{{{a} {b}}}"),
                3 => format!("not {a}"),
                _ => format!("(if {a} then {b} else not {b})"),
            };
        }
        let comparison = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let name = self.pick(&["Adams", "a", "Carlsen, M", "n", "\\\\", "?", "nA", "An", "s"]);
        let text = self.pick(&[
            "player white",
            "player black",
            "player",
            "event",
            "site",
            "eco",
            "date",
            "eventdate",
        ]);
        match self.below(12) {
            0 | 1 => format!("(year {comparison} {})", 1989 + self.below(8)),
            2 | 3 => {
                let side = self.pick(&["white", "black", ""]);
                format!("(elo {side} {comparison} {})", 2400 + 50 * self.below(8))
            }
            4 => format!("result {}", self.pick(&["1-0", "0-1", "1/2-1/2"])),
            5 | 6 => format!("(\"{name}\" in {text})"),
            7 => format!("({text} {comparison} \"{name}\")"),
            8 => format!("({text} ~~ \"{}\")", self.pick(&["A.*", "9+", "a|s", "^$"])),
            9 => format!("(elo white {comparison} elo black)"),
            10 => format!("(gamenumber {comparison} {})", self.below(450)),
            _ => self.pick(&["wtm", "year", "elo", "elo white"]).to_owned(),
        }
    }
}
