//! Random position lists of CQL 1: what is tested on them is that two ways to answer agree.

/// A source of lists; the same seed gives the same lists.
pub(crate) struct Lists {
    state: u64,
}

const MEN: [&str; 20] = [
    "K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p", "A", "a", ".", "U", "M", "i", "[RB]", "[Pp]",
];
const TRANSFORMS: [&str; 12] = [
    ":flip",
    ":flipvertical",
    ":fliphorizontal",
    ":flipdiagonal",
    ":flipoffdiagonal",
    ":flipcolor",
    ":shift",
    ":shifthorizontal",
    ":shiftvertical",
    ":shiftmaindiagonal",
    ":shiftoffdiagonal",
    ":shiftdiagonal",
];

impl Lists {
    /// A source for a seed.
    pub(crate) fn new(seed: u64) -> Lists {
        Lists { state: seed }
    }

    /// A number below `n`, by SplitMix64 (Steele, Lea and Flood 2014).
    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % u64::from(n)) as u32
    }

    /// The same for tests.
    pub(crate) fn number(&mut self, below: u32) -> u32 {
        self.below(below)
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u32) as usize]
    }

    fn square(&mut self) -> String {
        let (file, rank) = (self.below(8) as u8, self.below(8) as u8);
        [char::from(b'a' + file), char::from(b'1' + rank)].iter().collect()
    }

    fn block(&mut self) -> String {
        let (a, b) = (self.square(), self.square());
        format!("{}-{}{}-{}", &a[..1], &b[..1], &a[1..], &b[1..])
    }

    pub(crate) fn designator(&mut self) -> String {
        let men = self.pick(&MEN);
        let squares = match self.below(6) {
            0 => String::new(),
            1 => format!("[{},{}]", self.square(), self.square()),
            2 => format!("[{}]", self.block()),
            3 => format!("{}?", &self.square()[..1]),
            _ => self.square(),
        };
        format!("{men}{squares}")
    }

    fn range(&mut self) -> String {
        match self.below(4) {
            0 => self.below(4).to_string(),
            1 => format!("{} unlimited", 1 + self.below(2)),
            _ => {
                let least = self.below(3);
                format!("{least} {}", least + self.below(4))
            }
        }
    }

    fn lists(&mut self, depth: u32) -> String {
        let lists: Vec<String> = (0..1 + self.below(2)).map(|_| self.list(depth)).collect();
        format!("({})", lists.join(" "))
    }

    fn term(&mut self, depth: u32) -> String {
        let depth = depth.saturating_sub(1);
        match self.below(if depth == 0 { 16 } else { 22 }) {
            0..=5 => self.designator(),
            6 => self.pick(&[":wtm", ":btm", ":check", ":nocheck", ":mate"]).to_owned(),
            7 => {
                let word = self.pick(&[":piececount", ":power", ":powerdifference"]);
                format!("{word} {} {}", self.designator(), self.range())
            }
            8 => format!(
                ":attackcount {} {} {}",
                self.designator(),
                self.designator(),
                self.range()
            ),
            9 => {
                let word = self.pick(&[":ray", ":rayattack", ":raydiagonal", ":rayhorizontal"]);
                format!("{word} ({} {}) {}", self.designator(), self.designator(), self.range())
            }
            10 => format!("{} {}", self.pick(&[":movefrom", ":moveto"]), self.designator()),
            11 => format!(":movenumber {} {}", self.below(10), 10 + self.below(30)),
            12 => self
                .pick(&[":result 1-0", ":enpassant", ":noenpassant", ":promote []"])
                .to_owned(),
            13 => self
                .pick(&[
                    ":contactcheck",
                    ":contactcheck [RQ]",
                    ":matingmaterial",
                    ":whitecannotwin",
                    ":gameisover",
                    "!:endgame",
                    ":goodbishop B >=50% : >=50%",
                    ":goodbishop [Bb] 0 2 : 2 8",
                ])
                .to_owned(),
            14 => self
                .pick(&[
                    ":iscastling",
                    ":iscastling K",
                    ":iscastling [Qq]",
                    ":halfmovenumber end-4 end",
                    ":threefoldrepetition",
                    "!:threefoldrepetition",
                ])
                .to_owned(),
            15 => format!(
                "{} {} {} {}",
                self.pick(&[":piececountdifference", ":powerdifference"]),
                self.designator(),
                self.designator(),
                self.range()
            ),
            16 => format!("{} {}", self.pick(&[":and", ":or", ":xor"]), self.lists(depth)),
            17 => format!("{} {}", self.pick(&[":sequence", ":gappedsequence"]), self.lists(depth)),
            18 => format!(":not {}", self.list(depth)),
            19 => format!(
                ":relation ({} {} :missingpiececount {} {})",
                self.pick(&["", ":flip", ":pattern"]),
                self.pick(&["", ":ignoresidetomove", ":changesidetomove"]),
                self.designator(),
                self.range(),
            ),
            20 => format!(":matchconsecutive {}", self.lists(depth)),
            _ => format!(":or {}", self.lists(depth)),
        }
    }

    /// A position list.
    pub(crate) fn list(&mut self, depth: u32) -> String {
        let mut parts: Vec<String> = (0..1 + self.below(3)).map(|_| self.term(depth)).collect();
        for _ in 0..self.below(3) {
            parts.push(self.pick(&TRANSFORMS).to_owned());
        }
        if self.below(10) == 0 {
            parts.push(":not".to_owned());
        }
        format!("(position {})", parts.join(" "))
    }

    /// A match list.
    pub(crate) fn match_list(&mut self) -> String {
        let mut parts = Vec::new();
        for _ in 0..1 + self.below(5) / 3 {
            let list = self.list(2);
            let extra = match self.below(11) {
                0 => format!(" :matchcount {}", self.range()),
                1 => format!(" :pretransformmatchcount {}", self.range()),
                2 => " :variations".to_owned(),
                3 => format!(" :repetitioncount {}", self.range()),
                4 => format!(" :pretransformrepetitioncount {}", self.range()),
                _ => String::new(),
            };
            parts.push(format!("{}{extra})", &list[..list.len() - 1]));
        }
        if self.below(5) == 0 {
            parts.push(
                self.pick(&[
                    ":player an",
                    ":year 1900 1990",
                    ":eithercolor",
                    "!:result 1-0",
                    "!:hasvariations",
                    ":hasannotation",
                ])
                .to_owned(),
            );
        }
        format!("(match {})", parts.join(" "))
    }
}
