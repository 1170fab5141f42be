//! Random queries of the whole language: a header, functions, dictionaries, and statements with variables of every kind.
//!
//! Nearly all of them are right by name and kind, and most run to their end. Those that don't are compared as well: they
//! are refused, or stopped, with the same error.

mod control;
mod moves;
mod numbers;
mod output;
mod places;
mod sequences;
mod sets;
mod texts;
mod truths;

use super::Generator;

/// What queries are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extent {
    /// CQL 6.2, without what `docs/language.md#deviations` lists.
    Shared,
    /// CQL 6.2.
    Cql6,
    /// With the extensions of cqldex.
    Extended,
}

/// What stands in a text: a number, a set and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Set,
    Number,
    Text,
    Place,
    Truth,
}

const VALUES: [Value; 5] = [Value::Set, Value::Number, Value::Text, Value::Place, Value::Truth];

/// A function that is defined.
#[derive(Clone)]
struct Function {
    name: String,
    /// What it takes.
    takes: Vec<Value>,
    /// What it gives.
    gives: Value,
}

/// A dictionary that is declared, with the kinds of its keys and values.
#[derive(Clone)]
struct Entries {
    name: String,
    key: Value,
    value: Value,
}

/// What has a value where a filter stands, and what may stand there.
#[derive(Clone)]
struct Scope {
    extent: Extent,
    sets: Vec<String>,
    pieces: Vec<String>,
    numbers: Vec<String>,
    texts: Vec<String>,
    places: Vec<String>,
    functions: Vec<Function>,
    dictionaries: Vec<Entries>,
    /// The two positions of the `echo` around it.
    echo: Option<[String; 2]>,
    /// How many filters that look at the whole tree may still stand inside each other.
    reach: u32,
    /// How many transforms may.
    transforms: u32,
    /// Whether a transform stands around it.
    transformed: bool,
    /// Whether a `path` stands around it.
    in_path: bool,
    /// Whether the position is imagined: nothing but the board can be asked for.
    imagined: bool,
}

/// A source of whole queries; the same seed gives the same queries.
pub(crate) struct Grammar {
    dice: Generator,
    extent: Extent,
}

impl Grammar {
    /// A grammar for a seed. If 3 divides the seed, its queries mean the same in CQL 6.2; for the next one they are CQL 6.2,
    /// and for the one after it they have extensions.
    pub(crate) fn new(seed: u64) -> Grammar {
        Grammar {
            dice: Generator::new(seed),
            extent: match seed % 3 {
                0 => Extent::Shared,
                1 => Extent::Cql6,
                _ => Extent::Extended,
            },
        }
    }

    /// A whole query, with a header.
    pub(crate) fn query(&mut self) -> String {
        let mut scope = Scope {
            extent: self.extent,
            sets: Vec::new(),
            pieces: Vec::new(),
            numbers: Vec::new(),
            texts: Vec::new(),
            places: Vec::new(),
            functions: Vec::new(),
            dictionaries: Vec::new(),
            echo: None,
            reach: if self.below(8) == 0 { 2 } else { 1 },
            transforms: 2,
            transformed: false,
            in_path: false,
            imagined: false,
        };
        let header = self.header();
        let mut parts = Vec::new();
        if self.below(4) == 0 {
            parts.push(self.dictionary(&mut scope));
        }
        if self.below(4) == 0 {
            parts.push(self.function(&mut scope));
        }
        let count = 1 + self.below(4);
        parts.extend((0..count).map(|_| self.statement(2, &mut scope)));
        parts.push(self.truth(2, &scope));
        format!("{header}\n{}", parts.join("\n"))
    }

    /// The header; `variations` stands in most.
    fn header(&mut self) -> String {
        let mut parts = Vec::new();
        if self.below(4) > 0 {
            parts.push("variations".to_owned());
        }
        match self.below(30) {
            0 | 1 => parts.push("quiet".to_owned()),
            2 | 3 => parts.push("silent".to_owned()),
            4 => parts.push(format!("matchcount {} {}", self.below(3), 2 + self.below(30))),
            5 => parts.push("sort matchcount 1 100".to_owned()),
            6 => parts.push("matchstring \"here\"".to_owned()),
            7 => parts.push(format!("gamenumber {} {}", 1 + self.below(50), 60 + self.below(150))),
            8 => parts.push(format!("result {}", self.pick(&["1-0", "0-1", "1/2-1/2"]))),
            9 => parts.push(format!("matchcount {}", 1 + self.below(9))),
            _ => {}
        }
        format!("cql({})", parts.join(" "))
    }

    /// A filter that gives this.
    fn value(&mut self, value: Value, depth: u32, scope: &Scope) -> String {
        match value {
            Value::Set => self.set(depth, scope),
            Value::Number => self.number(depth, scope),
            Value::Text => self.text(depth, scope),
            Value::Place => self.place(depth, scope),
            Value::Truth => self.truth(depth, scope),
        }
    }

    fn kind(&mut self) -> Value {
        VALUES[self.below(5) as usize]
    }

    /// Anything, for places where all kinds are allowed.
    fn anything(&mut self, depth: u32, scope: &Scope) -> String {
        let value = self.kind();
        self.value(value, depth, scope)
    }

    fn below(&mut self, n: u32) -> u32 {
        self.dice.below(n)
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        self.dice.pick(list)
    }

    fn name(&mut self) -> String {
        self.dice.name()
    }

    fn known(&mut self, names: &[String]) -> Option<String> {
        match names.len() as u32 {
            0 => None,
            count => Some(names[self.below(count) as usize].clone()),
        }
    }

    fn comparison(&mut self) -> &'static str {
        self.pick(&["<", "<=", ">", ">=", "==", "!="])
    }
}

impl Scope {
    /// Inside a filter that looks at the whole tree.
    fn within(&self) -> Scope {
        Scope {
            reach: self.reach.saturating_sub(1),
            ..self.clone()
        }
    }

    /// Inside a transform.
    fn transformed(&self) -> Scope {
        Scope {
            transforms: self.transforms.saturating_sub(1),
            transformed: true,
            ..self.clone()
        }
    }

    /// Whether other positions of the game can be asked for.
    fn may_reach(&self) -> bool {
        self.reach > 0 && !self.imagined
    }

    /// Whether `max`, `min` and `ascii` mean the same here in CQL 6.2.
    fn may_list(&self) -> bool {
        !(self.transformed && self.extent == Extent::Shared)
    }

    fn add(&mut self, value: Value, name: String) {
        match value {
            Value::Set => self.sets.push(name),
            Value::Number => self.numbers.push(name),
            Value::Text => self.texts.push(name),
            Value::Place => self.places.push(name),
            Value::Truth => {}
        }
    }
}
