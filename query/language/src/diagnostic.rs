//! Errors and warnings about a query: a stable code, one line, the place, and what to write instead.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::span::Span;

/// Writes the enumeration of codes, their texts and their explanations from one table.
macro_rules! codes {
    ($($variant:ident = $text:literal, $explanation:literal;)*) => {
        /// What is wrong, by cause.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $explanation] $variant,)*
        }

        impl Code {
            /// All codes in order; docs/language/errors.md explains each.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The stable text, such as `Q301`.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Code::$variant => $text,)*
                }
            }

            /// One line about what the code means.
            pub const fn explanation(self) -> &'static str {
                match self {
                    $(Code::$variant => $explanation,)*
                }
            }
        }
    };
}

codes! {
    InvalidUtf8 = "Q101", "The text is not UTF-8.";
    InvalidCharacter = "Q102", "A character starts no token of the language.";
    UnterminatedString = "Q103", "A string has no closing quotation mark on its line.";
    UnterminatedComment = "Q104", "A block comment is not closed.";
    BadBackslash = "Q105", "A backslash starts neither a character literal nor a group reference.";
    BadSquareRange = "Q106", "A range of files or ranks in a designator descends.";
    DuplicatePiece = "Q107", "A Unicode piece stands twice in one designator.";
    BadRepetition = "Q108", "The bounds of a repetition in braces are impossible.";
    UnbalancedDelimiter = "Q109", "A bracket is not closed, or closes nothing.";
    BadLineComment = "Q110", "A `///` comment is empty, not at its place, or not the only one of its line.";

    EmptyQuery = "Q201", "There is no filter.";
    MissingHeader = "Q202", "A query file has to begin with `cql( )`.";
    BadHeader = "Q203", "Something does not belong into the header `cql( )`.";
    ExpectedFilter = "Q204", "A filter is missing.";
    UnexpectedText = "Q205", "Something follows a filter that can neither continue it nor begin the next.";
    ExpectedToken = "Q206", "A word or punctuator is missing.";
    OneFilterInParentheses = "Q207", "Parentheses hold exactly one filter; braces hold several.";
    BadArguments = "Q208", "The arguments of a filter are too few, too many, or not of the right form.";
    BadParameter = "Q209", "Parameters of a filter repeat or exclude each other.";
    DashTie = "Q210", "White space decides what belongs to a move operator, and here it decides badly.";
    BadWildcard = "Q211", "A wildcard stands where it repeats nothing, or could repeat forever.";
    BadConstituent = "Q212", "A constituent of `line` or `path` looks like a misread range or wildcard.";
    BadFen = "Q213", "The board of a `fen` filter is incomplete or wrong.";
    BadTag = "Q214", "The tag cannot be asked for or set.";
    BadRegex = "Q215", "The regular expression is malformed.";
    BadImplicitSearch = "Q216", "The searched text looks like a regular expression, or like an unknown glyph.";
    ReservedWord = "Q217", "The word is reserved and has no meaning here.";
    BadPromotion = "Q218", "A promotion names neither roles nor a string.";
    BadHhdb = "Q219", "The keyword of an `hhdb` filter is unknown or misplaced.";
    BadSort = "Q220", "A `sort` has the wrong form or an unsuitable argument.";
    NotImagined = "Q221", "Something asks for the game in a position that is only imagined.";

    UnknownName = "Q301", "Nothing has this name.";
    WrongKind = "Q302", "A filter of another kind is expected.";
    KindMismatch = "Q303", "The two sides of an operator do not go together.";
    NotAssignable = "Q304", "A logical filter cannot be assigned.";
    VariableKind = "Q305", "A variable keeps the kind of its first assignment.";
    Redefinition = "Q306", "The name is already taken.";
    Recursion = "Q307", "A function calls itself.";
    ArgumentCount = "Q308", "A function is called with the wrong number of arguments.";
    PositionInequality = "Q309", "Positions cannot be compared with this operator.";
    BadTransform = "Q310", "A transform cannot be applied to a part of its argument.";
    UnknownSet = "Q311", "The database has no set of positions of this name.";

    TooLong = "Q401", "The text is too long.";
    TooDeep = "Q402", "The text is nested too deeply.";
    TooMuchExpansion = "Q403", "Function calls expand to too much text.";
    TooManyVariants = "Q404", "Transforms expand to too many variants.";

    OtherDialect = "Q501", "The text is written in an older dialect of CQL.";
    Extension = "Q502", "An extension of cqldex stands where only CQL 6.2 is accepted.";

    VacuousTruth = "Q601", "A filter that always matches was asked whether it matches.";
    UnboundVariable = "Q602", "A variable was read before it had a value.";
    BoundLoopVariable = "Q603", "The variable of a loop or echo had a value already.";
    BadDirectionRange = "Q604", "The range of a direction is not within -7 to 7, or is upside down.";
    FailedAssertion = "Q605", "An `assert` failed.";
    Aborted = "Q606", "The query asked to stop.";
    NoGroup = "Q607", "A group was read that the last regular expression does not have.";
    VariationsNeeded = "Q608", "The query needs variations to be searched.";
    FileFailed = "Q609", "A file could not be read or written.";
    EndlessLoop = "Q610", "A loop ran too often.";
    Stopped = "Q611", "The query was stopped from outside.";
    TooMuchMemory = "Q612", "A query would take too much memory.";

    BadMatchList = "Q701", "The text is no match list of CQL 1, or something stands where only lists can.";
    UnknownKeyword = "Q702", "CQL 1 has no such keyword.";
    UnansweredKeyword = "Q703", "The keyword exists in CQL-S but cannot be answered.";
    BadDesignator = "Q704", "A piece designator of CQL 1 is malformed.";
    BadArgument = "Q705", "An argument of a keyword is missing or of the wrong form.";
    MisplacedKeyword = "Q706", "A keyword cannot stand here, or not with another one.";
    UnknownTag = "Q707", "A tag or counter is not declared, or declared twice.";
    NoTranslation = "Q708", "A part of the query has no equivalent in CQL 6.2.";

    BadCql5 = "Q751", "Something does not follow the grammar of CQL 5.";
    UnknownCql5Word = "Q752", "CQL 5 has no filter of this name.";
    WrongCql5Kind = "Q753", "A filter of CQL 5 stands where it is neither a set nor a number.";
    BadCql5Range = "Q754", "A range of CQL 5 is upside down, or too small.";
    UndeclaredCql5Variable = "Q755", "A variable of CQL 5 is used outside the loop that declares it.";
    RefusedCql5 = "Q756", "CQL 5 accepts this, but it cannot be said what it means.";
    NoCql6Equivalent = "Q757", "A filter of CQL 5 has no equivalent in CQL 6.2.";

    AlwaysTrue = "W101", "A condition always holds.";
    NeverTrue = "W102", "A condition never holds.";
    StopsQuery = "W103", "A filter that always matches stands where a condition is asked.";
    OnlyEmpty = "W104", "A condition holds only where a set is empty.";
    UnusedVariable = "W201", "A variable gets a value that nothing reads.";
    IdleTransform = "W301", "A transform changes nothing.";
    SetForNumber = "W401", "A set stands where its number of squares was probably meant.";
}

impl Code {
    /// How bad what it stands for is.
    pub fn severity(self) -> Severity {
        match self.text().starts_with('W') {
            true => Severity::Warning,
            false => Severity::Error,
        }
    }
}

/// How bad something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The text is no query, or the query stops.
    Error,
    /// The query can run, but probably says something else than was meant.
    Warning,
}

/// A change of the text that puts something right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, for a menu: a few words in lower case.
    pub title: String,
    /// The places to change, in their order; they don't overlap.
    pub edits: Vec<Edit>,
}

/// A part of a text that is replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What is taken out; empty where something is only put in.
    pub span: Span,
    /// What is put in; empty where something is only taken out.
    pub replacement: String,
}

impl Fix {
    /// A fix that replaces one place.
    pub fn replace(title: impl Into<String>, span: Span, replacement: impl Into<String>) -> Fix {
        Fix {
            title: title.into(),
            edits: vec![Edit {
                span,
                replacement: replacement.into(),
            }],
        }
    }

    /// The text after the change; `None` if it does not have the places.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut changed = String::with_capacity(text.len() + 8);
        let mut end = 0;
        for edit in &self.edits {
            let range = edit.span.range();
            changed += text.get(end..range.start)?;
            changed += &edit.replacement;
            end = text.get(range.clone()).map(|_| range.end)?;
        }
        Some(changed + text.get(end..)?)
    }
}

/// An error in a query, or a warning about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The cause.
    pub code: Code,
    /// One line in lower case.
    pub message: String,
    /// The place.
    pub span: Span,
    /// What to say at the place; may be empty.
    pub label: String,
    /// A second place, with what to say there.
    pub related: Option<(Span, String)>,
    /// What to write instead.
    pub help: Option<String>,
    /// Changes of the text that put it right, the best one first; usually one or none.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// An error with its cause and place only.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            span,
            label: String::new(),
            related: None,
            help: None,
            fixes: Vec::new(),
        }
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Adds what to say at the place.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Adds a second place.
    #[must_use]
    pub fn related(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.related = Some((span, label.into()));
        self
    }

    /// Adds a change of the text that puts it right.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }

    /// The error with the lines it is about, as plain text; `origin` names the text.
    pub fn render(&self, text: &str, origin: &str) -> String {
        self.render_with(&Renderer::plain(), text, origin)
    }

    /// The same in colors, for a terminal.
    pub fn render_styled(&self, text: &str, origin: &str) -> String {
        self.render_with(&Renderer::styled(), text, origin)
    }

    fn render_with(&self, renderer: &Renderer, text: &str, origin: &str) -> String {
        let (text, offset) = excerpt(text, self.span, self.related.as_ref().map(|(span, _)| *span));
        let place = |span: Span| clamp(&text, span, offset.bytes);
        let mut snippet = Snippet::source(text.as_str())
            .path(origin)
            .line_start(offset.lines + 1)
            .annotation(
                AnnotationKind::Primary
                    .span(place(self.span))
                    .label(self.label.as_str()),
            );
        if let Some((span, label)) = &self.related {
            snippet = snippet.annotation(AnnotationKind::Context.span(place(*span)).label(label.as_str()));
        }
        let level = match self.severity() {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(self.message.as_str()).id(self.code.text());
        let mut group = Group::with_title(title).element(snippet);
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        renderer.render(&[group])
    }
}

/// Where an excerpt begins.
struct Offset {
    bytes: usize,
    lines: usize,
}

/// The part of the text that an error is about: the renderer would look through all of a long one. Very long lines are
/// cut too.
fn excerpt(text: &str, span: Span, related: Option<Span>) -> (String, Offset) {
    const WIDTH: usize = 2_000;
    let first = related.map_or(span.start, |other| other.start.min(span.start)) as usize;
    let last = related.map_or(span.end, |other| other.end.max(span.end)) as usize;
    let (first, last) = (first.min(text.len()), last.min(text.len()).max(first.min(text.len())));
    let start = text[..floor(text, first)].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[floor(text, last)..]
        .find('\n')
        .map_or(text.len(), |newline| floor(text, last) + newline);
    let start = floor(text, start.max(first.saturating_sub(WIDTH)));
    let end = floor(text, end.min(last.saturating_add(WIDTH)));
    let lines = text.as_bytes()[..start].iter().filter(|&&byte| byte == b'\n').count();
    // Control characters would move the marks.
    let shown = text[start..end].chars().map(|c| {
        if c.is_control() && c != '\n' && c != '\t' {
            ' '
        } else {
            c
        }
    });
    let shown: String = if text[start..end].chars().any(|c| c.is_control() && c.len_utf8() > 1) {
        text[start..end].to_owned()
    } else {
        shown.collect()
    };
    (shown, Offset { bytes: start, lines })
}

/// The span inside an excerpt, moved to the boundaries of characters.
fn clamp(text: &str, span: Span, offset: usize) -> std::ops::Range<usize> {
    let inside = |position: u32| floor(text, (position as usize).saturating_sub(offset));
    let start = inside(span.start);
    start..inside(span.end).max(start)
}

/// The start of the character that this byte belongs to.
fn floor(text: &str, mut position: usize) -> usize {
    position = position.min(text.len());
    while !text.is_char_boundary(position) {
        position -= 1;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_in_order() {
        assert!(Code::ALL.is_sorted_by(|a, b| a.text() < b.text()));
        assert!(Code::ALL.iter().all(|code| code.explanation().ends_with('.')));
    }

    #[test]
    fn shows_place_label_and_help() {
        let diagnostic = Diagnostic::new(Code::UnknownName, Span::new(6, 16), "no filter is called `passedpawn`")
            .label("did you mean `passedpawns`?")
            .help("variables have to be assigned before they are read");
        let expected = "\
error[Q301]: no filter is called `passedpawn`
 --> query:3:2
  |
3 | #passedpawn >= 2
  |  ^^^^^^^^^^ did you mean `passedpawns`?
  |
  = help: variables have to be assigned before they are read";
        assert_eq!(diagnostic.render("btm\n\n#passedpawn >= 2", "query"), expected);
    }

    #[test]
    fn survives_any_span() {
        for (start, end) in [(0, 0), (1, 2), (2, 1), (5, 900), (900, 901)] {
            let diagnostic =
                Diagnostic::new(Code::TooDeep, Span::new(start, end), "x").related(Span::new(end, end), "y");
            assert!(diagnostic.render("\u{2654}\n\u{2654}", "query").contains("Q402"));
        }
        assert!(
            Diagnostic::new(Code::TooDeep, Span::default(), "x")
                .render("", "query")
                .contains("Q402")
        );
    }
}
