//! What stops a query while it runs.

use language::span::Span;
use language::{Code, Diagnostic};

/// A run-time error: CQL stops at the first one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeError {
    /// What went wrong.
    pub cause: Cause,
    /// The filter that it went wrong in.
    pub span: Span,
    /// The number of the game.
    pub game: u32,
    /// The position in the game.
    pub node: u32,
}

/// Why a query was stopped.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Cause {
    /// A filter that always has a value was used as a condition (docs/language/kinds.md#truth).
    #[error("this filter says nothing when it is used as a condition: it would always match")]
    VacuousTruth,
    /// A variable without a value was read.
    #[error("the variable `{0}` is read before it has a value")]
    Unbound(String),
    /// A loop or echo found its variable in use.
    #[error("the variable `{0}` has a value already, so it can't be the variable of this loop")]
    LoopVariableBound(String),
    /// A range of a direction is not within -7 to 7, or is upside down.
    #[error("a direction goes at most 7 steps either way, from the smaller number to the larger")]
    DirectionRange,
    /// `assert` failed.
    #[error("this assertion does not hold")]
    Assertion,
    /// `cql_abort`
    #[error("the query asked to stop here")]
    Abort,
    /// `\1` without a match, or with too large a number.
    #[error("there is no such group: the last regular expression has fewer, did not match, or there was none")]
    NoGroup,
    /// `cql_assertvariations`
    #[error("{0}")]
    VariationsNeeded(String),
    /// The limit of steps or time was reached.
    #[error("the query was stopped: it took more than its limit")]
    Limit,
    /// A file could not be read or written.
    #[error("{0}")]
    File(String),
    /// The query wants more memory than it may have.
    #[error("{0}")]
    Memory(&'static str),
    /// A loop would not end.
    #[error("this loop does not end: it ran {0} times")]
    EndlessLoop(u64),
}

impl Cause {
    /// The code of the error as users see it.
    fn code(&self) -> Code {
        match self {
            Cause::VacuousTruth => Code::VacuousTruth,
            Cause::Unbound(_) => Code::UnboundVariable,
            Cause::LoopVariableBound(_) => Code::BoundLoopVariable,
            Cause::DirectionRange => Code::BadDirectionRange,
            Cause::Assertion => Code::FailedAssertion,
            Cause::Abort => Code::Aborted,
            Cause::NoGroup => Code::NoGroup,
            Cause::VariationsNeeded(_) => Code::VariationsNeeded,
            Cause::Limit => Code::Stopped,
            Cause::File(_) => Code::FileFailed,
            Cause::EndlessLoop(_) => Code::EndlessLoop,
            Cause::Memory(_) => Code::TooMuchMemory,
        }
    }
}

impl From<&RuntimeError> for Diagnostic {
    /// The error with its place in the text, the game and the position.
    fn from(error: &RuntimeError) -> Diagnostic {
        let RuntimeError {
            cause,
            span,
            game,
            node,
        } = error;
        let diagnostic = Diagnostic::new(cause.code(), *span, cause.to_string());
        let diagnostic = diagnostic.label(format!("in game {game}, position {node}"));
        match cause {
            Cause::Unbound(name) => diagnostic.help(format!("assign it first, as in `{name} = ...`")),
            Cause::VariationsNeeded(_) => {
                diagnostic.help("search variations: `cql(variations)`, or the flag `--variations`")
            }
            _ => diagnostic,
        }
    }
}

/// The result of a step of the evaluation.
pub(crate) type Eval<T> = Result<T, Box<RuntimeError>>;
