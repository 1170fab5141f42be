//! Every text gives a query or a diagnostic, in a short time and without a panic.
//!
//! The normal run is short; `CQLDEX_FUZZ=1000000` sets how many inputs are tried, `CQLDEX_FUZZ_SEED` where it starts.

use super::*;
use crate::syntax::{Keyword, Symbol, to_ascii, to_unicode};

/// How many inputs the normal run tries.
const SHORT: u64 = 20_000;

/// A generator of numbers without dependencies (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// Valid queries that use all of the language; inputs are made of their pieces.
const SEEDS: &[&str] = &[
    "cql(input a.pgn output \"b c.pgn\" variations result 1-0 sort matchcount 1 2 gamenumber 3 silent) wtm",
    "flip 2 {Ra1 [Qq]a-c1-3 _[a1,b2]} not A attacks k",
    "x=3 up x 2 K x+=1 y=A|B y&=b \"a\"+\\n in \"abc\"[1:-2]",
    "function f(x y){x|y} f(A {y}) function g(){path -- (A b)+} g()",
    "local dictionary D D[\"a\"]=parent D[\"b\"]:ply string s in D message(s) unbind D",
    "path focus capture [RN] max ply title \"x\" (-- check)* [x]d4=Q(mate)? {wtm + 3}\n\nline --> A+ --> (b --> .*){2,3}",
    "echo (s t) in all {s&t==. light K sidetomove==s:sidetomove}",
    "sort min \"key\" #A>=3 comment(player white \"x\") /// \"y\" A\n originalcomment \"!?\"",
    "[forall][Aa]z[element]A square all q1 in z pin from z to k",
    "while(event ~~ \"a(b)\") message \\1 + \\t hhdb sort special prize hhdb gbr kings \"a1\"",
    "fen \"8/8/8/4k3/8/8/8/K6_\" max(1 -2 int \"3\"+4) makesquare(1 2) ray up (A . k) A->b->k",
    "move legal count from A to . >2 legal --(o-o) countmoves --=\"Q\" currentmove A--b(to)",
    "persistent quiet P1 |= A atomic n1=find 1 3 <-- wtm if A then 1 else if b then 2 else 3",
];

/// Beginnings of tokens that the lexer has to survive.
const FRAGMENTS: &[&str] = &[
    "\"",
    "\\",
    "{2}",
    "{,",
    "[Aa]",
    "[",
    "]",
    "///",
    "//",
    "/*",
    "*/",
    ";",
    "\n\n",
    "\n",
    " ",
    "\t",
    "1-0",
    "o-o",
    "99999999999",
    "a8-1",
    "[a1,",
    "\u{2654}",
    "\u{25ed}",
    "\u{2015}",
    "\u{2015}\u{2015}",
    "\u{2735}",
    "\u{22a2}",
    "\u{220a}",
    "\u{d7}",
    "\u{e9}",
    "\u{feff}",
    "x",
    "yy",
    "3",
    "0",
    "K",
    "_",
    "a1",
    "input ",
    "output",
    "$",
    "#",
    "\0",
];

fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> = SEEDS.iter().map(|&seed| seed.to_owned()).collect();
    if let Some(folder) = conformance() {
        for file in ["parse.jsonl", "positions.jsonl", "games.jsonl", "unicode.jsonl"] {
            let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
            seeds.extend(text.lines().step_by(7).filter_map(|line| json_string(line, "query")));
        }
    }
    seeds
}

/// Something that may be a token.
fn token(random: &mut Random) -> &'static str {
    match random.below(4) {
        0 => Keyword::ALL[random.below(Keyword::ALL.len())].text(),
        1 => Symbol::ALL[random.below(Symbol::ALL.len())].text(),
        _ => random.pick(FRAGMENTS),
    }
}

/// Random bytes, random tokens, or a valid query with pieces of others in it.
fn input(random: &mut Random, seeds: &[String]) -> Vec<u8> {
    match random.below(6) {
        0 => (0..random.below(60))
            .map(|_| u8::try_from(random.below(256)).unwrap())
            .collect(),
        1 => {
            let blank = random.pick(&[" ", ""]);
            (0..random.below(30))
                .flat_map(|_| [token(random), blank])
                .collect::<String>()
                .into_bytes()
        }
        _ => {
            let mut bytes = seeds[random.below(seeds.len())].clone().into_bytes();
            for _ in 0..=random.below(3) {
                let start = random.below(bytes.len() + 1);
                let end = start + random.below(bytes.len() + 1 - start).min(6);
                let other = seeds[random.below(seeds.len())].as_bytes();
                let from = random.below(other.len() + 1);
                let piece = match random.below(4) {
                    0 => token(random).as_bytes(),
                    1 => &other[from..(from + 20).min(other.len())],
                    2 => b" ",
                    _ => b"",
                };
                bytes.splice(start..end, piece.iter().copied());
            }
            bytes
        }
    }
}

/// The checks on one input.
fn try_input(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let result = parse_bytes(bytes, &ParseOptions::default());
    if let Err(errors) = &result {
        assert!(!errors.is_empty());
        for error in errors {
            assert!(
                !error.message.is_empty() && !error.message.contains('\n') || error.message.contains('`'),
                "{error:?}"
            );
            assert!(error.render(&text, "query").contains(error.code.text()));
        }
        recovery::check_all_errors(&text);
        return false;
    }
    // Both spellings of a good query are good. (Without its letters `1-0q` is a result and a queen.)
    let ascii = to_ascii(&text).unwrap();
    assert!(
        parse(&ascii, &ParseOptions::default()).is_ok(),
        "{text:?} in ASCII: {ascii:?}"
    );
    if !["1-0", "0-1", "1/2"].iter().any(|result| ascii.contains(result)) {
        let unicode = to_unicode(&ascii).unwrap();
        assert!(
            parse(&unicode, &ParseOptions::default()).is_ok(),
            "{text:?} in Unicode: {unicode:?}"
        );
    }
    true
}

#[test]
fn any_text_ends_in_a_query_or_a_diagnostic() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let count = setting("CQLDEX_FUZZ").unwrap_or(SHORT);
    let seed = setting("CQLDEX_FUZZ_SEED").unwrap_or(1);
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let seeds = seeds();
    let mut accepted = 0u64;
    for _ in 0..count {
        let bytes = input(&mut random, &seeds);
        let start = std::time::Instant::now();
        let outcome = std::panic::catch_unwind(|| try_input(&bytes));
        match outcome {
            Ok(good) => accepted += u64::from(good),
            Err(_) => panic!("panic on {:?}", String::from_utf8_lossy(&bytes)),
        }
        assert!(
            start.elapsed().as_secs() < 5,
            "slow: {:?}",
            String::from_utf8_lossy(&bytes)
        );
    }
    println!("{count} inputs, {accepted} accepted");
}
