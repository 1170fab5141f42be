//! Punctuators, and the table of Unicode symbols with their ASCII spelling (docs/language/syntax.md#symbols).

use super::keyword::Keyword;

/// Writes the enumeration and its texts from one table, in the order in which the lexer tries them.
macro_rules! symbols {
    ($($(#[$doc:meta])* $variant:ident = $text:literal,)*) => {
        /// A punctuator; the text is its ASCII spelling.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Symbol {
            $($(#[$doc])* $variant,)*
        }

        impl Symbol {
            /// All of them, in the order in which the lexer tries them.
            pub const ALL: &[Symbol] = &[$(Symbol::$variant),*];

            /// The ASCII spelling.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Symbol::$variant => $text,)*
                }
            }
        }
    };
}

symbols! {
    /// Loop membership.
    Element = "[element]",
    /// The prefix "all" of a symbolic loop.
    Forall = "[forall]",
    /// Arrow of `line`, toward the end of the game.
    ArrowForward = "-->",
    /// Arrow of `line`, toward its start; `find` upward.
    ArrowBackward = "<--",
    /// Wildcard, unmistakable.
    BraceStar = "{*}",
    /// Wildcard, unmistakable.
    BracePlus = "{+}",
    /// Attacks.
    AttackArrow = "->",
    /// Attacked by.
    AttackedArrow = "<-",
    /// Regular expression match.
    Matches = "~~",
    /// At most.
    LessEqual = "<=",
    /// At least.
    GreaterEqual = ">=",
    /// Equal.
    EqualEqual = "==",
    /// Different.
    NotEqual = "!=",
    /// Add to a variable.
    PlusAssign = "+=",
    /// Subtract from a variable.
    MinusAssign = "-=",
    /// Multiply a variable.
    StarAssign = "*=",
    /// Divide a variable.
    SlashAssign = "/=",
    /// Remainder of a variable.
    PercentAssign = "%=",
    /// Union with a variable.
    BarAssign = "|=",
    /// Intersection with a variable.
    AmpersandAssign = "&=",
    /// Proper ancestor.
    Ancestor = "[<]",
    /// Ancestor or the same.
    AncestorEqual = "[<=]",
    /// Proper descendant.
    Descendant = "[>]",
    /// Descendant or the same.
    DescendantEqual = "[>=]",
    /// Assign if the set is not empty.
    AssignIfAny = "=?",
    /// The empty set.
    EmptySet = "[]",
    /// Sum, concatenation, wildcard.
    Plus = "+",
    /// Difference, negation.
    Minus = "-",
    /// Product, wildcard.
    Star = "*",
    /// Quotient.
    Slash = "/",
    /// Assignment, promotion.
    Assign = "=",
    /// Greater.
    Greater = ">",
    /// Less.
    Less = "<",
    /// All squares.
    Dot = ".",
    /// Opens a group.
    LeftParen = "(",
    /// Closes a group.
    RightParen = ")",
    /// Opens a compound.
    LeftBrace = "{",
    /// Closes a compound.
    RightBrace = "}",
    /// Union.
    Bar = "|",
    /// Wildcard: once or not at all.
    Question = "?",
    /// At a position.
    Colon = ":",
    /// Cardinality.
    Hash = "#",
    /// Complement.
    Tilde = "~",
    /// Intersection.
    Ampersand = "&",
    /// Remainder.
    Percent = "%",
    /// Belongs inside designators and repetitions only.
    Comma = ",",
    /// Opens a slice or a key.
    LeftBracket = "[",
    /// Closes a slice or a key.
    RightBracket = "]",
}

impl Symbol {
    /// The closing delimiter of an opening one.
    pub fn closing(self) -> Option<Symbol> {
        match self {
            Symbol::LeftParen => Some(Symbol::RightParen),
            Symbol::LeftBrace => Some(Symbol::RightBrace),
            Symbol::LeftBracket => Some(Symbol::RightBracket),
            _ => None,
        }
    }

    /// Whether it gives a value to the variable before it.
    pub fn is_assignment(self) -> bool {
        matches!(
            self,
            Symbol::Assign
                | Symbol::AssignIfAny
                | Symbol::PlusAssign
                | Symbol::MinusAssign
                | Symbol::StarAssign
                | Symbol::SlashAssign
                | Symbol::PercentAssign
                | Symbol::BarAssign
                | Symbol::AmpersandAssign
        )
    }

    /// Whether it closes something.
    pub fn is_closing(self) -> bool {
        matches!(self, Symbol::RightParen | Symbol::RightBrace | Symbol::RightBracket)
    }
}

/// What a Unicode character stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnicodeMeaning {
    /// Men of a designator, in ASCII letters; two letters for "any piece".
    Men(&'static str),
    /// A punctuator.
    Symbol(Symbol),
    /// A reserved word.
    Keyword(Keyword),
    /// The capture dash.
    Capture,
    /// Half of the dash: two in a row are `--`.
    HalfDash,
}

/// Half of the Unicode dash.
pub(super) const HALF_DASH: char = '\u{2015}';
/// The Unicode capture dash.
pub(super) const CAPTURE: char = '\u{00d7}';
/// Any piece.
pub(super) const ANY_PIECE: char = '\u{25ed}';

/// The Unicode symbols of CQL 6.2, all of them.
pub(super) const UNICODE: &[(char, UnicodeMeaning)] = &[
    ('\u{2654}', UnicodeMeaning::Men("K")),
    ('\u{2655}', UnicodeMeaning::Men("Q")),
    ('\u{2656}', UnicodeMeaning::Men("R")),
    ('\u{2657}', UnicodeMeaning::Men("B")),
    ('\u{2658}', UnicodeMeaning::Men("N")),
    ('\u{2659}', UnicodeMeaning::Men("P")),
    ('\u{265a}', UnicodeMeaning::Men("k")),
    ('\u{265b}', UnicodeMeaning::Men("q")),
    ('\u{265c}', UnicodeMeaning::Men("r")),
    ('\u{265d}', UnicodeMeaning::Men("b")),
    ('\u{265e}', UnicodeMeaning::Men("n")),
    ('\u{265f}', UnicodeMeaning::Men("p")),
    ('\u{25b3}', UnicodeMeaning::Men("A")),
    ('\u{25b2}', UnicodeMeaning::Men("a")),
    (ANY_PIECE, UnicodeMeaning::Men("Aa")),
    ('\u{25a1}', UnicodeMeaning::Men("_")),
    ('\u{25a6}', UnicodeMeaning::Symbol(Symbol::Dot)),
    ('\u{2229}', UnicodeMeaning::Symbol(Symbol::Ampersand)),
    ('\u{222a}', UnicodeMeaning::Symbol(Symbol::Bar)),
    ('\u{2192}', UnicodeMeaning::Symbol(Symbol::AttackArrow)),
    ('\u{2190}', UnicodeMeaning::Symbol(Symbol::AttackedArrow)),
    ('\u{2264}', UnicodeMeaning::Symbol(Symbol::LessEqual)),
    ('\u{2265}', UnicodeMeaning::Symbol(Symbol::GreaterEqual)),
    ('\u{2260}', UnicodeMeaning::Symbol(Symbol::NotEqual)),
    ('\u{227a}', UnicodeMeaning::Symbol(Symbol::Ancestor)),
    ('\u{227b}', UnicodeMeaning::Symbol(Symbol::Descendant)),
    ('\u{227c}', UnicodeMeaning::Symbol(Symbol::AncestorEqual)),
    ('\u{227d}', UnicodeMeaning::Symbol(Symbol::DescendantEqual)),
    ('\u{2200}', UnicodeMeaning::Symbol(Symbol::Forall)),
    ('\u{220a}', UnicodeMeaning::Symbol(Symbol::Element)),
    ('\u{2735}', UnicodeMeaning::Keyword(Keyword::Flip)),
    ('\u{2b13}', UnicodeMeaning::Keyword(Keyword::Flipcolor)),
    ('\u{2219}', UnicodeMeaning::Keyword(Keyword::Currentposition)),
    ('\u{22a2}', UnicodeMeaning::Keyword(Keyword::Path)),
    ('\u{25ce}', UnicodeMeaning::Keyword(Keyword::Focus)),
    (HALF_DASH, UnicodeMeaning::HalfDash),
    (CAPTURE, UnicodeMeaning::Capture),
];

/// What the character stands for, if it is one of CQL's symbols.
pub fn unicode_meaning(symbol: char) -> Option<UnicodeMeaning> {
    UNICODE
        .iter()
        .find(|(candidate, _)| *candidate == symbol)
        .map(|(_, meaning)| *meaning)
}

/// ASCII look-alikes of symbols that people write and CQL 6.2 does not know, with what to write.
pub(super) const FOREIGN: &[(char, &str)] = &[
    ('\u{2208}', "`\u{220a}` (U+220A) or `[element]`"),
    ('\u{2022}', "`\u{2219}` (U+2219) or `currentposition`"),
    ('\u{29bf}', "`\u{25ce}` (U+25CE) or `focus`"),
    ('\u{2013}', "`-`, or `--` for a move"),
    ('\u{2014}', "`--`"),
    ('\u{2212}', "`-`"),
    ('\u{2227}', "`and`"),
    ('\u{2228}', "`or`"),
    ('\u{00ac}', "`not`"),
    ('\u{221a}', "`sqrt`"),
    ('\u{2500}', "`--`"),
    ('\u{201c}', "a straight quotation mark"),
    ('\u{201d}', "a straight quotation mark"),
    ('\u{00a0}', "an ordinary blank"),
    ('\u{3000}', "an ordinary blank"),
    ('\u{2026}', "`...`"),
];

/// The ASCII character that a letter or sign of another script looks like.
pub(super) fn look_alike(character: char) -> Option<char> {
    // Cyrillic and Greek letters.
    const LETTERS: &[(char, char)] = &[
        ('\u{410}', 'A'),
        ('\u{412}', 'B'),
        ('\u{415}', 'E'),
        ('\u{41a}', 'K'),
        ('\u{41d}', 'H'),
        ('\u{420}', 'P'),
        ('\u{430}', 'a'),
        ('\u{435}', 'e'),
        ('\u{43a}', 'k'),
        ('\u{440}', 'p'),
        ('\u{441}', 'c'),
        ('\u{391}', 'A'),
        ('\u{392}', 'B'),
        ('\u{39a}', 'K'),
        ('\u{39d}', 'N'),
        ('\u{3a1}', 'P'),
    ];
    match character {
        // Those of East Asian keyboards.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0),
        _ => LETTERS
            .iter()
            .find(|(other, _)| *other == character)
            .map(|(_, latin)| *latin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_punctuators_come_first() {
        for (index, symbol) in Symbol::ALL.iter().enumerate() {
            for later in &Symbol::ALL[index + 1..] {
                assert!(
                    !later.text().starts_with(symbol.text()),
                    "{} hides {}",
                    symbol.text(),
                    later.text()
                );
            }
        }
    }

    #[test]
    fn every_unicode_symbol_has_one_meaning() {
        assert_eq!(UNICODE.len(), 37);
        assert_eq!(
            unicode_meaning('\u{2735}'),
            Some(UnicodeMeaning::Keyword(Keyword::Flip))
        );
        assert_eq!(unicode_meaning('x'), None);
    }
}
