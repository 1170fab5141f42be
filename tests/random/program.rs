//! Queries as authors of published ones write them: loops, variables, conditions, sequences with pieces, sort keys.

use super::Generator;

/// The variables that have a value where a filter stands, by kind.
#[derive(Clone, Default)]
struct Names {
    /// Sets of squares and pieces.
    sets: Vec<String>,
    numbers: Vec<String>,
    positions: Vec<String>,
    texts: Vec<String>,
}

impl Generator {
    /// A query with variables.
    pub(crate) fn program(&mut self) -> String {
        let mut names = Names::default();
        let function = "function Meets(One Other) {One attacks Other}";
        let dictionary = self.pick(&["local dictionary", "local dictionary", "dictionary"]);
        let statements: Vec<String> = (0..2 + self.below(2)).map(|_| self.statement(2, &mut names)).collect();
        let statements = statements.join(" ");
        match statements.contains("Entries") {
            true => format!("{function} {dictionary} Entries {statements}"),
            false => format!("{function} {statements}"),
        }
    }

    /// Some filters in braces; what they assign is not known outside.
    fn block(&mut self, depth: u32, names: &Names) -> String {
        let mut names = names.clone();
        let statements: Vec<String> = (0..1 + self.below(2))
            .map(|_| self.statement(depth, &mut names))
            .collect();
        format!("{{{}}}", statements.join(" "))
    }

    fn statement(&mut self, depth: u32, names: &mut Names) -> String {
        if depth == 0 {
            return self.condition(names);
        }
        let depth = depth - 1;
        match self.below(36) {
            24..=33 => self.stateful(depth, names),
            34 | 35 => self.theme(depth, names),
            0 | 1 => {
                let (value, name) = (self.squares_of(names), self.name());
                names.sets.push(name.clone());
                format!("{name}={value}")
            }
            2 => {
                let (value, name) = (self.number_of(names), self.name());
                names.numbers.push(name.clone());
                format!("{name}={value}")
            }
            3 => {
                let name = self.name();
                names.positions.push(name.clone());
                format!("{name}=currentposition")
            }
            4 => match names.numbers.last().cloned() {
                Some(name) => format!("{name}{}{}", self.pick(&["+=", "-=", "/="]), self.number_of(names)),
                None => self.condition(names),
            },
            5 => match names.sets.last().cloned() {
                Some(name) if self.below(4) == 0 => {
                    let other = self.name();
                    let assigned = format!("{other}={{{name}={} {name}}}", self.squares_of(names));
                    names.sets.push(other);
                    assigned
                }
                Some(name) if self.below(3) == 0 => format!("(if {} then {name}=a-d1-8)", self.condition(names)),
                _ => self.condition(names),
            },
            6..=9 => {
                let (domain, name) = (self.squares_of(names), self.name());
                let kind = self.pick(&["square", "piece", "piece", "square all", "piece all"]);
                let mut inside = names.clone();
                inside.sets.push(name.clone());
                format!("({kind} {name} in {domain} {})", self.block(depth, &inside))
            }
            10 => format!(
                "(if {} then {} else {})",
                self.condition(names),
                self.block(depth, names),
                self.block(depth, names)
            ),
            11 => {
                let name = self.name();
                let before = format!("{name}=0 (while ({name}<3) {name}+=1) ");
                names.numbers.push(name);
                before + &self.condition(names)
            }
            12 => format!("(sort \"key\" {})", self.number_of(names)),
            13 => format!("({} <= sort \"other\" {})", self.below(4), self.squares_of(names)),
            14..=16 => self.path_of(depth, names),
            17 => {
                let arrow = self.pick(&["-->", "<--"]);
                let constituents: Vec<String> = (0..2 + self.below(2))
                    .map(|_| {
                        let repeat = self.pick(&["", "", "+", "*", "?"]);
                        format!("{arrow} {}{repeat}", self.block(0, names))
                    })
                    .collect();
                format!("(line {})", constituents.join(" "))
            }
            18 => {
                let range = self.pick(&["", "", "2", "1 3", "<--"]);
                format!("(find {range} {})", self.block(depth, names))
            }
            19 => match names.positions.last().cloned() {
                Some(name) => format!("({name}:{})", self.block(depth, names)),
                None => format!("(not {})", self.block(depth, names)),
            },
            20 => format!("({} or {})", self.block(depth, names), self.block(depth, names)),
            21 => {
                let transform = self.pick(&["flipcolor", "flip", "flipvertical", "rotate90", "shifthorizontal"]);
                format!("({transform} {})", self.block(depth, names))
            }
            _ => self.condition(names),
        }
    }

    /// What changes variables in some positions only, or several times: counters, texts, dictionaries, what lasts from
    /// game to game.
    fn stateful(&mut self, depth: u32, names: &mut Names) -> String {
        let (condition, other) = (self.condition(names), self.condition(names));
        let comparison = self.pick(&["<", "<=", ">", ">=", "=="]);
        match self.below(12) {
            0 | 1 => {
                let name = self.name();
                let more = self.pick(&["+=1", "+=2", "-=1", "=3"]);
                let branch = match self.below(3) {
                    0 => format!("(if {other} then {name}{more} else {name}=5)"),
                    1 => format!("(not {{{other} {name}{more}}} or wtm)"),
                    _ => format!("(if {other} then {name}{more})"),
                };
                let text = format!("{name}={} (if {condition} then {name}+=1) {branch}", self.below(3));
                names.numbers.push(name.clone());
                format!("{text} {name} {comparison} {}", self.below(4))
            }
            2 => {
                let name = self.name();
                names.numbers.push(name.clone());
                let limit = self.below(4);
                format!(
                    "{name}={} (loop {{{condition} {name}+=1 {name}<{limit}}})",
                    self.below(2)
                )
            }
            3 => {
                let name = self.name();
                let found = self.pick(&["True", "found"]);
                let (found, turn) = (format!("{name}{found}"), self.below(3));
                let text = format!(
                    "{found}=0 {name}={turn} (loop {{(if {condition} then {found}=1) {name}+=1 {name}<=3}}) {found}==1"
                );
                names.numbers.push(name);
                text
            }
            4 | 5 => {
                let (name, letter) = (self.name(), self.name());
                let body = match self.below(4) {
                    0 => format!("(if {condition} then {name}+={letter})"),
                    1 => format!("path --={letter} {{{condition} (if not {letter} in {name} then {name}+={letter})}}"),
                    2 => format!("(find {{{condition} {name}+={letter}}})"),
                    _ => format!("(\"Q\" in {letter} or {condition}) {name}+={letter}"),
                };
                let pattern = self.pick(&[".", "[RQ]", "R|N", "(.)N"]);
                names.texts.push(name.clone());
                let group = if pattern == "(.)N" { "\\1" } else { "\\0" };
                let text = self.pick(&["RBNQ", "QR", "QNN"]);
                let start = format!("{name}=\"\" (while (\"{text}\"~~\"{pattern}\") {{{letter}={group} {body}}})");
                format!("{start} #{name}{comparison}{}", self.below(3))
            }
            6 => match names.texts.last().cloned() {
                Some(name) if self.below(2) == 0 => format!("{name}+=\"x\" (#{name}<4 or {condition})"),
                Some(name) => format!("(\"R\" in {name} or {condition})"),
                None => {
                    let name = self.name();
                    names.texts.push(name.clone());
                    let value = self.pick(&["\"RQ\"", "typename k", "piecename k"]);
                    format!("{name}={value} {condition}")
                }
            },
            7 => {
                let cleared = self.pick(&["unbind Entries ", ""]);
                let set = format!(
                    "{cleared}(if {condition} then Entries[\"k\"]={})",
                    self.squares_of(names)
                );
                let read = self.pick(&["Entries[\"k\"]", "(Entries[\"k\"] & [QRr])", "(not Entries[\"k\"])"]);
                format!("{set} {read}")
            }
            8 => {
                let name = self.name();
                let counted = format!("(if {condition} then {{persistent {name}+=1}})");
                match self.below(2) {
                    0 => format!("{counted} {other}"),
                    _ => format!("{counted} {name}{comparison}{} {other}", self.below(9)),
                }
            }
            9 => {
                let (source, target) = (self.name(), self.name());
                let mut inside = names.clone();
                inside.positions.push(source.clone());
                let (first, second) = (self.block(depth.min(1), &inside), self.block(0, &inside));
                let relation = match self.below(3) {
                    0 => format!("{source}<{target}"),
                    1 => format!("sidetomove=={source}:sidetomove"),
                    _ => format!("({source}:{second} or {{{source}:{condition} {other}}})"),
                };
                format!("(echo ({source} {target}) {{{relation} {first} {source}:{second}}})")
            }
            10 => {
                let asserted = self.pick(&["(k or K)", "#k==1", "#[QRBNPqrbnp] < 31 or initial or ply < 9"]);
                format!("(if {condition} then assert ({asserted})) {other}")
            }
            _ => {
                let name = self.name();
                names.numbers.push(name.clone());
                let value = self.pick(&["rank K - rank k", "file k - 4", "2"]);
                format!("{name}={value} (up {name} {{{}}})", self.squares_of(names))
            }
        }
    }

    /// A condition on the board and the variables.
    fn condition(&mut self, names: &Names) -> String {
        let comparison = self.pick(&["<", "<=", ">", ">=", "=="]);
        let (a, b) = (self.squares_of(names), self.squares_of(names));
        match self.below(15) {
            0 | 1 => format!("({a} attacks {b})"),
            2 => format!("({a} attackedby {b})"),
            3 => format!("(Meets({{{a}}} {{{b}}}))"),
            4 => format!("({a}->{b}->{})", self.squares_of(names)),
            5 => format!("(#{a} {comparison} {})", self.below(6)),
            6 => format!("({a} in {b})"),
            7 => format!("({a} == {b})"),
            8 => format!("({} {comparison} {})", self.number_of(names), self.number_of(names)),
            9 => format!("(not {a})"),
            10 => self
                .pick(&[
                    "wtm",
                    "check",
                    "(ply > 10)",
                    "(move from R)",
                    "(from & [QR])",
                    "--(to & P)",
                ])
                .to_owned(),
            11 => format!("(#{{pin from {a} through {b}}} > 0)"),
            12 => {
                let legality = self.pick(&["legal", "not legal", "pseudolegal", "not pseudolegal"]);
                let targets = self.pick(&["", "", "", "[Aa]", "(o-o)", "=Q", "(enpassant)"]);
                format!("({legality} {a}--{targets})")
            }
            13 => match self.below(3) {
                0 => format!(
                    "(#{{square Mover in {a} {{not legal Mover--}}}} {comparison} {})",
                    self.below(5)
                ),
                1 => format!("(square all Mover in {a} {{Mover attacks {b} or not pseudolegal Mover--}})"),
                _ => format!("(piece Mover in {a} {{pin through Mover or [A]->Mover->{b} legal Mover--}})"),
            },
            _ => format!("({a} & {b})"),
        }
    }

    fn squares_of(&mut self, names: &Names) -> String {
        let known = names.sets.len() as u32;
        if known > 0 && self.below(2) == 0 {
            return names.sets[self.below(known) as usize].clone();
        }
        match self.below(9) {
            0 => format!("(up 1 {})", self.squares_of(names)),
            1 => format!("(~{})", self.designator()),
            2 => format!("({} attackedby {})", self.pick(&[".", "_", "k"]), self.designator()),
            3 => match names.positions.last() {
                Some(name) => format!("({name}:{})", self.pick(&["[QRBN]", "P", "k"])),
                None => self.designator(),
            },
            4 => format!("(makesquare (file {} rank k))", self.squares_of(names)),
            5 => format!("({} & {})", self.designator(), self.squares_of(names)),
            _ => self.designator(),
        }
    }

    fn number_of(&mut self, names: &Names) -> String {
        let known = names.numbers.len() as u32;
        if known > 0 && self.below(2) == 0 {
            return names.numbers[self.below(known) as usize].clone();
        }
        match self.below(6) {
            0 => self.below(5).to_string(),
            1 => format!("(file {})", self.squares_of(names)),
            2 => format!("(rank {})", self.squares_of(names)),
            3 => format!("(#{} - #{})", self.squares_of(names), self.squares_of(names)),
            4 => format!("(power {})", self.squares_of(names)),
            _ => format!("(#{})", self.squares_of(names)),
        }
    }

    /// A path of moves, in focus of a variable or not.
    fn path_of(&mut self, depth: u32, names: &Names) -> String {
        let focus = match self.below(2) {
            0 => format!("focus {}", self.squares_of(names)),
            _ => String::new(),
        };
        let steps: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let from = match self.below(2) {
                    0 => self.squares_of(names),
                    _ => String::new(),
                };
                let repeat = self.pick(&["", "", "", " +", " *", " ?"]);
                let test = match self.below(3) {
                    0 => format!(" {}", self.block(depth.min(1), names)),
                    _ => String::new(),
                };
                match self.below(3) {
                    0 => format!("{from}--{}{repeat}{test}", self.squares_of(names)),
                    1 => format!("{from}[x]{}{repeat}{test}", self.designator()),
                    _ => format!("{from}--{repeat}{test}"),
                }
            })
            .collect();
        format!("(path {focus} {})", steps.join(" "))
    }

    /// What published queries are about: pieces, and a path of their moves.
    fn theme(&mut self, depth: u32, names: &Names) -> String {
        let (first, second, start, seen) = (self.name(), self.name(), self.name(), self.name());
        let mut inside = names.clone();
        inside.sets.extend([first.clone(), second.clone(), seen.clone()]);
        inside.positions.push(start.clone());
        let steps: Vec<String> = (0..1 + self.below(3))
            .map(|_| {
                let piece = self.pick(&[&first, &second]).to_owned();
                let to = match self.below(10) {
                    0 => format!("--{start}:{piece}"),
                    1 => format!("--{seen}"),
                    2 => format!("--(. & {start}:{second})"),
                    3 => format!("--~{seen} {{{seen}={seen}|{piece}}}"),
                    4 => format!("[x]{}", self.pick(&[&first, &second])),
                    5 => format!("--{}", self.squares_of(&inside)),
                    _ => "--".to_owned(),
                };
                let piece = self.pick(&[&piece, ""]);
                let repeat = if to.contains('{') {
                    ""
                } else {
                    self.pick(&["", "", " +", " *", " {2,}"])
                };
                format!("{piece}{to}{repeat}")
            })
            .collect();
        let focus = match self.below(4) {
            0 => String::new(),
            1 => format!("focus {first}"),
            _ => format!("focus ({first}|{second})"),
        };
        let path = format!("(path {focus} {})", steps.join(" "));
        let path = match self.below(5) {
            0 => format!(
                "find {{{first}=={start}:{second} {second}&{}}}",
                self.squares_of(&inside)
            ),
            1 => format!("sort \"moves\" {path}"),
            2 => format!("{} <= {path}", self.below(4)),
            _ => path,
        };
        let between = match self.below(3) {
            0 => self.block(depth.min(1), &inside),
            _ => String::new(),
        };
        let (domain, other) = (self.squares_of(names), self.squares_of(names));
        format!(
            "(piece {first} in {domain} {{{seen}={first} {start}=currentposition piece {second} in {other} {{{between} {path}}}}})"
        )
    }
}
