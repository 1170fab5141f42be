//! Random filters of the whole language, right by kind: what is tested on them is that two ways to answer agree.

mod grammar;
mod header;
mod imagined;
mod program;
mod quantities;
mod tree;

pub(crate) use grammar::Grammar;

/// A source of filters; the same seed gives the same filters.
pub(crate) struct Generator {
    state: u64,
    /// How many variables have been named.
    names: u32,
    /// Whether clocks and evaluations are among the numbers.
    quantities: bool,
}

const MEN: [&str; 19] = [
    "K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p", "A", "a", "_", "[RB]", "[QRBN]", "[Nn]", "[Kk]",
];
const DIRECTIONS: [&str; 8] = [
    "up",
    "down",
    "left",
    "right",
    "diagonal",
    "orthogonal",
    "northeast",
    "anydirection",
];
const TRANSFORMS: [&str; 10] = [
    "flip",
    "flipcolor",
    "flipvertical",
    "fliphorizontal",
    "rotate90",
    "shift",
    "shifthorizontal",
    "shiftvertical",
    "reversecolor",
    "notransform",
];

impl Generator {
    /// A generator for a seed.
    pub(crate) fn new(seed: u64) -> Generator {
        Generator {
            state: seed,
            names: 0,
            quantities: false,
        }
    }

    /// A number below `n`, by SplitMix64 (Steele, Lea and Flood 2014).
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % u64::from(n)) as u32
    }

    /// A query of the kinds that are computed for many positions at once by kernels of their own: attacks, pins, lines,
    /// pawns, counts, shifts.
    pub(crate) fn kernel(&mut self) -> String {
        let parts: Vec<String> = (0..=self.below(2)).map(|_| self.kernel_part()).collect();
        parts.join(" ")
    }

    fn kernel_part(&mut self) -> String {
        const COMPARISONS: [&str; 6] = ["==", "!=", ">=", "<=", ">", "<"];
        const PAWNS: [&str; 4] = ["doubledpawns", "isolatedpawns", "passedpawns", "connectedpawns"];
        let (a, b, c) = (self.kernel_set(), self.kernel_set(), self.kernel_set());
        let men = self.pick(&MEN);
        let comparison = self.pick(&COMPARISONS);
        let (few, many) = (self.below(4), self.below(12));
        match self.below(20) {
            15 => self.orbit(),
            16 => self.alternatives(),
            17 | 18 => self.computed(),
            0 => format!("{a} attacks {}", self.pick(&["k", "K", "[Kk]"])),
            1 => format!("#({a} attacks {}) {comparison} {few}", self.pick(&["k", "K"])),
            2 => format!("{} attackedby {a}", self.pick(&["k", "K"])),
            3 => format!("{a} attacks ({b} & {c})"),
            4 => format!("{a} attacks ({b} attackedby {c})"),
            5 => format!("#({a} attackedby {b}) {comparison} {few}"),
            6 => format!("pin from {a} through {b} to {c}"),
            7 => format!("{men} & pin"),
            8 => format!("#({} & {a}) {comparison} {few}", self.pick(&PAWNS)),
            9 => format!("{} & {} & {a}", self.pick(&PAWNS), self.pick(&PAWNS)),
            10 => format!("#{men} {comparison} {many}"),
            11 => format!("#{men} {comparison} #{} + {few}", self.pick(&MEN)),
            12 => format!("power {men} {comparison} power {} + {many}", self.pick(&MEN)),
            13 => format!(
                "{} {{ {}d4 {}e5 {}f3 }}",
                self.pick(&TRANSFORMS),
                men,
                self.pick(&MEN),
                self.pick(&MEN)
            ),
            _ => format!("ray({a} {b} {c})"),
        }
    }

    /// A transform of anything: variants that share parts, orbits inside orbits, counts and numbers of variants.
    fn orbit(&mut self) -> String {
        let transform = self.pick(&TRANSFORMS);
        let inner = self.pick(&TRANSFORMS);
        let (a, b, c) = (self.kernel_set(), self.kernel_set(), self.kernel_set());
        let comparison = self.pick(&["==", "!=", ">=", "<=", ">", "<"]);
        let few = self.below(4);
        match self.below(11) {
            0 => format!("{transform} ({a} attacks {b})"),
            1 => format!("{transform} (#({a} | {b}) {comparison} {few})"),
            2 => format!("({transform} #{a}) {comparison} {few}"),
            3 => format!("{transform} {{{a} {inner} {{{b} {c}}}}}"),
            4 => format!("{transform} {{(#{a} {comparison} #{b}) ({inner} {c})}}"),
            5 => format!("#({transform} ({a} attackedby {b})) {comparison} {few}"),
            6 => format!("{transform} (pin from {a} through {b} to {c})"),
            7 => format!("{transform} ray({a} {b} {c})"),
            8 => format!("{transform} {{not {a} {b}}}"),
            9 => format!("({} count {{{a} {b}}}) {comparison} {few}", self.pick(&TRANSFORMS[..8])),
            _ => format!("{transform} (({a} & up 1 {b}) | {c})"),
        }
    }

    /// Alternatives that differ in one place or share conditions.
    fn alternatives(&mut self) -> String {
        let (a, b, c) = (self.kernel_set(), self.kernel_set(), self.kernel_set());
        let (d, e) = (self.kernel_set(), self.kernel_set());
        match self.below(5) {
            0 => format!("{{{a} {b}}} or {{{b} {c}}}"),
            1 => format!("{{{a} attacks {b}}} or {{{a} attacks {c}}} or {{{d} attacks {b}}}"),
            2 => format!("{{{a} {b} {{{c} attacks {d}}}}} or {{{b} {a} {{{c} attacks {e}}}}}"),
            3 => format!("(not {{{a} attacks {b}}}) or {a} or {{{c} #{d} == 1}}"),
            _ => format!("#(({a} attacks {b}) | ({a} attacks {c})) >= 2 or #{d} > 1 or #{e} > 1"),
        }
    }

    /// Numbers made of others, compared.
    fn computed(&mut self) -> String {
        let (a, b, c) = (self.kernel_set(), self.kernel_set(), self.kernel_set());
        let comparison = self.pick(&["==", "!=", ">=", "<=", ">", "<"]);
        let (few, many) = (self.below(4), self.below(12));
        match self.below(8) {
            0 => format!("abs (#{a} - #{b}) {comparison} {few}"),
            1 => format!("max(#{a} #{b} {few}) {comparison} {many}"),
            2 => format!("min(#{a} #{b} #{c}) {comparison} {few}"),
            3 => format!("{few} * #{a} - #{b} {comparison} {many} - #{c}"),
            4 => format!("{many} - {few} * #{a} {comparison} {few}"),
            5 => format!("max(file {a} #{b}) {comparison} {few}"),
            6 => format!("min(#{a} rank {b}) + 1 {comparison} abs ({few} - #{c})"),
            _ => format!("(shift (abs (#{a} - #{b})) {comparison} {few})"),
        }
    }

    fn kernel_set(&mut self) -> String {
        const SQUARES: [&str; 6] = ["", "", "d4", "e-h1-8", "a-h7", "c-f3-6"];
        format!("{}{}", self.pick(&MEN), self.pick(&SQUARES))
    }

    pub(crate) fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u32) as usize]
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("Var{}", self.names)
    }

    fn squares(&mut self) -> String {
        let span = |generator: &mut Generator, first: u8| {
            let from = generator.below(8) as u8;
            let to = from + generator.below(8 - u32::from(from)) as u8;
            let letter = |n: u8| char::from(first + n);
            if from == to {
                letter(from).to_string()
            } else {
                format!("{}-{}", letter(from), letter(to))
            }
        };
        match self.below(4) {
            0 => String::new(),
            1 => {
                let squares: Vec<String> = (0..2 + self.below(3))
                    .map(|_| span(self, b'a') + &span(self, b'1'))
                    .collect();
                format!("[{}]", squares.join(","))
            }
            _ => span(self, b'a') + &span(self, b'1'),
        }
    }

    fn designator(&mut self) -> String {
        let men = self.pick(&MEN);
        men.to_owned() + &self.squares()
    }

    /// A set filter.
    fn set(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.designator();
        }
        let depth = depth - 1;
        match self.below(18) {
            0 => format!("({} | {})", self.set(depth), self.set(depth)),
            1 => format!("({} & {})", self.set(depth), self.set(depth)),
            2 => format!("(~{{{}}})", self.set(depth)),
            3 | 4 => format!("({{{}}} attacks {{{}}})", self.set(depth), self.set(depth)),
            5 => format!("({{{}}} attackedby {{{}}})", self.set(depth), self.set(depth)),
            6 => {
                let direction = self.pick(&DIRECTIONS);
                let range = self.pick(&["", "1", "1 2", "0 3", "-2 1"]);
                format!("({direction} {range} {{{}}})", self.set(depth))
            }
            7 => format!("({} {{{}}})", self.pick(&["light", "dark"]), self.set(depth)),
            8 => self
                .pick(&["passedpawns", "isolatedpawns", "doubledpawns", "connectedpawns"])
                .to_owned(),
            9 => format!("(between({} {}))", self.set(depth), self.set(depth)),
            10 => {
                let direction = self.pick(&["", "up", "diagonal", "left", "orthogonal"]);
                let more = if self.below(2) == 0 { self.set(0) } else { String::new() };
                format!("(ray {direction} ({} {} {more}))", self.set(depth), self.set(depth))
            }
            11 => {
                let (slider, middle, last) = (
                    self.pick(&["Q", "r", "[QRBqrb]", "."]),
                    self.set(depth),
                    self.set(depth),
                );
                match self.below(3) {
                    0 => format!("(xray({slider} {middle} {last}))"),
                    1 => format!("({slider}->{{{middle}}}->{{{last}}})"),
                    _ => format!("({{{last}}}<-{{{middle}}}<-{slider})"),
                }
            }
            12 => {
                let mut parts = vec!["through", "from", "to"];
                let start = self.below(3) as usize;
                parts.rotate_left(start);
                parts.truncate(1 + self.below(3) as usize);
                let parts: Vec<String> = parts
                    .into_iter()
                    .map(|part| format!("{part} {{{}}}", self.set(depth.min(1))))
                    .collect();
                format!("(pin {})", parts.join(" "))
            }
            13 => {
                let name = self.name();
                let (domain, body) = (self.designator(), self.set(0));
                format!("(square {name} in {domain} {{{name} attacks {body}}})")
            }
            14 => {
                let name = self.name();
                let (domain, body) = (self.designator(), self.number(depth));
                format!("(piece {name} in {domain} {{type {name} > 2 {body} > 1}})")
            }
            15 => format!("{{{} {}}}", self.truth(depth), self.set(depth)),
            16 => format!(
                "(if {} then {} else {})",
                self.truth(depth),
                self.set(depth),
                self.set(depth)
            ),
            _ => format!("({} {{{}}})", self.pick(&TRANSFORMS), self.set(depth)),
        }
    }

    /// A numeric filter.
    fn number(&mut self, depth: u32) -> String {
        if self.quantities && self.below(3) == 0 {
            return self.quantity();
        }
        if depth == 0 {
            return format!("#{}", self.designator());
        }
        let depth = depth - 1;
        match self.below(10) {
            0 => self.below(12).to_string(),
            1 => format!("(power {{{}}})", self.set(depth)),
            2 => format!(
                "({} {{{}}})",
                self.pick(&["file", "rank", "type", "colortype"]),
                self.set(depth)
            ),
            3 => format!("({} + {})", self.number(depth), self.number(depth)),
            4 => format!("({} - {})", self.number(depth), self.number(depth)),
            5 => self
                .pick(&[
                    "ply",
                    "movenumber",
                    "sidetomove",
                    "(abs (ply - 20))",
                    "positionid",
                    "depth",
                ])
                .to_owned(),
            6 => {
                let transform = self.pick(&TRANSFORMS[..8]);
                format!("({transform} count {{{}}})", self.set(depth))
            }
            7 => format!("(max({} {}))", self.number(depth), self.number(depth)),
            _ => format!("(#{{{}}})", self.set(depth)),
        }
    }

    /// A filter that is asked whether it matches.
    pub(crate) fn truth(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.designator();
        }
        let depth = depth - 1;
        let comparison = self.pick(&["<", "<=", ">", ">=", "=="]);
        match self.below(21) {
            19 => {
                let counter = self.pick(&["ply", "movenumber"]);
                format!("({counter} {comparison} {})", self.below(60))
            }
            0 | 1 => format!("({} {comparison} {})", self.number(depth), self.number(depth)),
            2 => format!("({} {comparison} {})", self.set(depth), self.below(9)),
            3 => format!("({} in {})", self.set(depth), self.set(depth)),
            4 => format!("({} == {})", self.set(depth), self.set(depth)),
            5 => format!("(not {})", self.truth(depth)),
            6 => format!("({} and {})", self.truth(depth), self.truth(depth)),
            7 => format!("({} or {})", self.truth(depth), self.truth(depth)),
            8 => {
                let plain = [
                    "wtm",
                    "btm",
                    "check",
                    "mate",
                    "initial",
                    "terminal",
                    "mainline",
                    "enpassant",
                    "castle",
                ];
                self.pick(&plain).to_owned()
            }
            9 => format!(
                "({} {} {{{}}})",
                self.pick(&TRANSFORMS[..8]),
                self.pick(&["", "1 3", "2"]),
                self.truth(depth)
            ),
            10 => format!(
                "(square all Any{depth} in {} {{Any{depth} attacks {}}})",
                self.designator(),
                self.set(0)
            ),
            11 => self
                .pick(&["result 1-0", "(year > 1950)", "player white \"a\"", "(event < \"M\")"])
                .to_owned(),
            12 => format!("(if {} then {})", self.truth(depth), self.truth(depth)),
            13..=17 => self.tree(depth),
            _ => format!("{{{} {}}}", self.truth(depth), self.set(depth)),
        }
    }
}
