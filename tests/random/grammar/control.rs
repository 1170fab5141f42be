//! Statements: assignments, functions, dictionaries, loops.

use super::{Entries, Extent, Function, Grammar, Scope, VALUES, Value};

impl Grammar {
    /// A filter of a list; what it assigns is known behind it.
    pub(super) fn statement(&mut self, depth: u32, scope: &mut Scope) -> String {
        match self.below(30) {
            0..=5 => self.assignment(depth, scope),
            6 => {
                let (name, word) = (self.name(), self.pick(&["piece ", "[Aa]"]));
                let man = self.pick(&["K", "k", "Qd1", "qd8", "Ra1", "[Aa]e4", "Nb1"]);
                scope.pieces.push(name.clone());
                format!("({word}{name} = {man})")
            }
            7 | 8 => self.counter(depth, scope),
            9 => self.repeated_text(depth, scope),
            10 | 11 => self.store(depth, scope).unwrap_or_else(|| self.truth(depth, scope)),
            12 if !scope.imagined => {
                let name = self.name();
                let quiet = self.pick(&["", "quiet"]);
                let (operator, value) = match self.below(4) {
                    0 => ("|=", self.set(depth.min(1), scope)),
                    1 => ("+=", self.quoted()),
                    _ => ("+=", self.number(depth.min(1), scope)),
                };
                format!(
                    "(if {} {{ persistent {quiet} {name}{operator}{value} }})",
                    self.truth(0, scope)
                )
            }
            13 => {
                let name = self.name();
                scope.numbers.push(name.clone());
                let path = self.path(false, 1, scope);
                // A part of the path counts its turns; the variable goes back where the path does.
                format!("atomic {name}=0 {{ path (-- {{ {name}+=1 true }})+ }} ({name} >= 0 or {path})")
            }
            14 => {
                let names = [&scope.sets, &scope.numbers, &scope.texts];
                let names: Vec<String> = names.into_iter().flatten().cloned().collect();
                match self.known(&names) {
                    Some(name) => {
                        for list in [&mut scope.sets, &mut scope.numbers, &mut scope.texts] {
                            list.retain(|other| *other != name);
                        }
                        format!("unbind {name}")
                    }
                    None => self.truth(depth, scope),
                }
            }
            15..=18 if !scope.imagined => self.output(depth, scope),
            19 => {
                let (a, b) = (
                    self.statement(0, &mut scope.clone()),
                    self.statement(0, &mut scope.clone()),
                );
                format!("(if {} then {{ {a}\n}} else {{ {b}\n}})", self.truth(depth, scope))
            }
            20..=25 => format!("comment({})", self.anything(depth, scope)),
            _ => self.truth(depth, scope),
        }
    }

    fn assignment(&mut self, depth: u32, scope: &mut Scope) -> String {
        let value = VALUES[self.below(4) as usize];
        if self.below(4) == 0 {
            let change = match value {
                Value::Set => self.known(&scope.sets).map(|name| {
                    let (operator, set) = (self.pick(&["|=", "&=", "="]), self.set(depth, scope));
                    format!("{name}{operator}{}", self.update(&name, set))
                }),
                Value::Number => self.known(&scope.numbers).map(|name| {
                    let operator = self.pick(&["+=", "-=", "*=", "/=", "%=", "="]);
                    let number = self.number(depth, scope);
                    format!("{name}{operator}{}", self.update(&name, number))
                }),
                Value::Text => self.known(&scope.texts).map(|name| {
                    let text = self.quoted();
                    format!("{name}+={} {name}={name}[:20]", self.update(&name, text))
                }),
                _ => self
                    .known(&scope.places)
                    .map(|name| format!("{name}={}", self.place(depth, scope))),
            };
            if let Some(change) = change {
                return change;
            }
        }
        let (text, name) = (self.value(value, depth, scope), self.name());
        scope.add(value, name.clone());
        format!("{name}={text}")
    }

    /// What a variable is updated by: a value, or a filter that gives it to the variable itself, too.
    fn update(&mut self, name: &str, value: String) -> String {
        match self.below(6) {
            0 => format!("{{ {name}={value} {name} }}"),
            _ => value,
        }
    }

    /// `while` and `loop` that come to an end.
    fn counter(&mut self, depth: u32, scope: &mut Scope) -> String {
        let (name, limit) = (self.name(), 1 + self.below(4));
        let mut inside = scope.clone();
        inside.numbers.push(name.clone());
        let body = match self.below(2) {
            0 => self.truth(depth.min(1), &inside),
            _ => format!("(if {} {})", self.truth(0, &inside), self.truth(0, &inside)),
        };
        let text = match self.below(3) {
            0 => format!("{name}=0 (while ({name} < {limit}) {{ {name}+=1 {body} }})"),
            1 => format!("{name}=0 (loop {{ {name} < {limit} {name}+=1 {body} }})"),
            _ => format!("{name}={limit} (while ({name} > 0 and {body}) {name}-=1)"),
        };
        scope.numbers.push(name);
        text
    }

    /// A loop over the matches of a regular expression.
    fn repeated_text(&mut self, depth: u32, scope: &mut Scope) -> String {
        let name = self.name();
        let (text, (pattern, groups)) = (self.text(depth.min(1), scope), self.pattern());
        scope.texts.push(name.clone());
        let group = self.below(groups + 1);
        let body = match self.below(3) {
            0 => format!("{{ {} {name}+=\\{group} }}", self.truth(0, scope)),
            _ => format!("{name}+=\\{group}"),
        };
        format!("{name}=\"\" (while ({text}~~{pattern}) {body}) {name}={name}[:20]")
    }

    /// The declaration of a dictionary.
    pub(super) fn dictionary(&mut self, scope: &mut Scope) -> String {
        let name = self.name();
        // What is kept from game to game is kept in a text only where it can be printed.
        let word = self.pick(&[
            "dictionary",
            "local dictionary",
            "local dictionary",
            "persistent dictionary",
        ]);
        let key = [Value::Number, Value::Text, Value::Set][self.below(3) as usize];
        let value = match word.contains("local") {
            true => VALUES[self.below(4) as usize],
            false => [Value::Number, Value::Text, Value::Set][self.below(3) as usize],
        };
        // The first use decides about the kinds.
        let first = format!(
            "(if {} {{ {name}[ {} ]={} }})",
            self.truth(0, scope),
            self.key(key, scope),
            self.value(value, 1, scope)
        );
        scope.dictionaries.push(Entries {
            name: name.clone(),
            key,
            value,
        });
        format!("{word} {name} {first}")
    }

    fn key(&mut self, value: Value, scope: &Scope) -> String {
        match (value, self.below(3)) {
            (Value::Number, 0) => "ply".to_owned(),
            (Value::Number, _) => self.below(4).to_string(),
            (Value::Text, 0) => self.text(0, scope),
            (Value::Text, _) => format!("\"{}\"", self.pick(&["a", "b", "c"])),
            (_, 0) => self.set(0, scope),
            _ => self.pick(&["K", "k", "e4"]).to_owned(),
        }
    }

    /// An entry with a value of this kind, if there is such a dictionary.
    pub(super) fn entry(&mut self, value: Value, scope: &Scope) -> Option<String> {
        let entries = scope
            .dictionaries
            .iter()
            .find(|entries| entries.value == value)?
            .clone();
        Some(format!("({}[ {} ])", entries.name, self.key(entries.key, scope)))
    }

    /// What is done with a dictionary, if there is one.
    fn store(&mut self, depth: u32, scope: &mut Scope) -> Option<String> {
        let entries = scope.dictionaries.first()?.clone();
        let name = &entries.name;
        let key = self.key(entries.key, scope);
        Some(match self.below(8) {
            0 => format!("unbind {name}[ {key} ]"),
            1 => format!("unbind {name}"),
            2 => {
                let (variable, other) = (self.name(), self.name());
                let mut inside = scope.clone();
                inside.add(entries.key, variable.clone());
                let head = match entries.key {
                    Value::Text if self.below(2) == 0 => format!("string {variable} in {name}"),
                    _ => format!("{variable} [element] {name}"),
                };
                let body = self.truth(depth.min(1), &inside);
                scope.numbers.push(other.clone());
                format!("{other}=0 {{ {head} {{ {body} {other}+=1 }} }}")
            }
            3 => format!("({name} or {name}[ {key} ])"),
            _ => {
                let value = self.value(entries.value, depth.min(1), scope);
                format!("{name}[ {key} ]={value}")
            }
        })
    }

    /// A function that is defined.
    pub(super) fn function(&mut self, scope: &mut Scope) -> String {
        let name = format!("F{}", self.name());
        let count = self.below(3);
        let takes: Vec<Value> = (0..count).map(|_| VALUES[self.below(4) as usize]).collect();
        let gives = self.kind();
        let names: Vec<String> = takes.iter().map(|_| self.name()).collect();
        // What the body reads of variables outside could have no value where it is called.
        let mut inside = Scope {
            sets: Vec::new(),
            pieces: Vec::new(),
            numbers: Vec::new(),
            texts: Vec::new(),
            places: Vec::new(),
            ..scope.clone()
        };
        for (value, name) in takes.iter().zip(&names) {
            inside.add(*value, name.clone());
        }
        let body = match self.below(3) {
            0 => format!("{}\n{}", self.statement(1, &mut inside), self.value(gives, 1, &inside)),
            _ => self.value(gives, 1, &inside),
        };
        scope.functions.push(Function {
            name: name.clone(),
            takes,
            gives,
        });
        format!("function {name}({}) {{ {body} }}", names.join(" "))
    }

    /// A call of a function that gives this, if there is one.
    pub(super) fn call(&mut self, value: Value, depth: u32, scope: &Scope) -> Option<String> {
        // Its body may ask for what an imagined position does not have.
        if scope.imagined {
            return None;
        }
        let function = scope.functions.iter().find(|function| function.gives == value)?.clone();
        let inside = Scope {
            functions: Vec::new(),
            ..scope.clone()
        };
        let arguments: Vec<String> = function
            .takes
            .iter()
            .map(|value| self.value(*value, depth.min(1), &inside))
            .collect();
        // Its body may hold what CQL 6.2 does in its own way inside transforms.
        if scope.transformed && scope.extent == Extent::Shared {
            return None;
        }
        Some(format!("{}({})", function.name, arguments.join(" ")))
    }
}
