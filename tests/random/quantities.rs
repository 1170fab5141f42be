//! Random filters about clocks and evaluations.

use super::Generator;

const QUANTITIES: [&str; 14] = [
    "clock",
    "clock white",
    "clock black",
    "movetime",
    "movetime",
    "eval",
    "eval black",
    "evalbefore",
    "evalbefore black",
    "evalchange",
    "evalchange white",
    "(parent:clock)",
    "(child:movetime)",
    "(abs evalchange)",
];

impl Generator {
    /// The same generator, with clocks and evaluations among its numbers.
    pub(crate) fn with_quantities(mut self) -> Generator {
        self.quantities = true;
        self
    }

    /// A clock, a time or an evaluation.
    pub(super) fn quantity(&mut self) -> String {
        self.pick(&QUANTITIES).to_owned()
    }

    /// A condition on clocks and evaluations, alone or beside another filter.
    pub(crate) fn annotated(&mut self) -> String {
        let (a, b, comparison) = (
            self.quantity(),
            self.quantity(),
            self.pick(&["<", "<=", ">", ">=", "=="]),
        );
        let (few, many) = (self.below(40), self.below(700));
        let condition = match self.below(9) {
            0 => a.clone(),
            1 => format!("{a} {comparison} {few}"),
            2 => format!("{a} {comparison} {many}"),
            3 => format!("{a} {comparison} -{many}"),
            4 => format!("({a} - {b}) {comparison} {few}"),
            5 => format!("({a} + {few}) {comparison} {b}"),
            6 => format!("({few} * {a}) {comparison} ({b} - {many})"),
            7 => format!("(max({a} {b} {few})) {comparison} {many}"),
            _ => format!("(min({a} -{b})) {comparison} {few}"),
        };
        let other = self.truth(2);
        match self.below(12) {
            0..=2 => condition,
            3 => format!("({condition}) {other}"),
            4 => format!("({condition}) or ({other})"),
            5 => format!("not ({condition}) {other}"),
            6 => format!("flipcolor {{{condition} {other}}}"),
            7 => format!("find {{{condition}}}"),
            8 => format!("line --> {{{condition}}} --> {{not {{{condition}}}}}"),
            9 => format!("parent:{{{condition}}}"),
            10 => format!("X={a} X {comparison} {many} {other}"),
            _ => format!("if {condition} then {other}"),
        }
    }
}
