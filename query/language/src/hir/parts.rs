//! The small parts that filters are made of: operators, ranges, names of things.

use shakmaty::Color;

use super::{Filter, Kind, VariableId};

/// `==`, `<` and their like. `!=` is the negation of [`Comparison::Equal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `[<]`: positions only, the left is a proper ancestor of the right.
    Ancestor,
    /// `[<=]`
    AncestorOrEqual,
    /// `[>]`
    Descendant,
    /// `[>=]`
    DescendantOrEqual,
}

impl Comparison {
    /// The comparison with its sides exchanged; those of positions stay as they are.
    #[must_use]
    pub fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            other => other,
        }
    }
}

/// Arithmetic on two numbers; it wraps at 32 bits (docs/language/kinds.md#arithmetic).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`, toward zero; no value by zero.
    Divide,
    /// `%`, the sign of the dividend; no value by zero.
    Remainder,
}

/// A pawn-structure filter (docs/language/positions.md#pawns).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PawnStructure {
    /// `connectedpawns`
    Connected,
    /// `isolatedpawns`
    Isolated,
    /// `doubledpawns`
    Doubled,
    /// `passedpawns`
    Passed,
}

/// How strict a pure mate or stalemate has to be (docs/language/positions.md#pure-model-and-ideal-mates).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purity {
    /// `puremate`, `purestalemate`
    Pure,
    /// `modelmate`, `modelstalemate`
    Model,
    /// `idealmate`, `idealstalemate`
    Ideal,
}

/// Which set a `pin` gives: that of its first parameter, the pinned men if there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PinValue {
    /// The pinning pieces.
    From,
    /// The pinned men.
    Through,
    /// What they are pinned to.
    To,
}

/// A bound of a range: a number, or a numeric variable read when the filter is evaluated
/// (docs/language/syntax.md#ranges).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bound {
    /// A literal.
    Literal(i32),
    /// A variable.
    Variable(VariableId),
}

/// `count`, or bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Range {
    /// `count`: any number, and the number is the value.
    Count,
    /// From the first to the second, both included. One number stands for both.
    Between(Bound, Bound),
}

impl Range {
    /// How many steps a direction goes at least and at most: 1 to 7 without a range. `None` if that is not known before the
    /// query runs, or is no number of steps, which is an error then.
    pub fn steps(range: Option<&Range>) -> Option<(i32, i32)> {
        match range {
            None => Some((1, 7)),
            Some(Range::Between(Bound::Literal(min), Bound::Literal(max))) => {
                (*min >= -7 && *max <= 7 && min <= max).then_some((*min, *max))
            }
            Some(_) => None,
        }
    }
}

/// A string of the game's header (docs/language/text.md#header-filters).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Metadata {
    /// `player white`, `player black`, `tag "White"`, `tag "Black"`
    Player(Color),
    /// `player`: both names with a separator.
    BothPlayers,
    /// `event`
    Event,
    /// `site`
    Site,
    /// `date`
    Date,
    /// `eventdate`
    EventDate,
    /// `eco`
    Eco,
    /// `tag "FEN"`
    Fen,
    /// `tag "X"` for any other X.
    Tag(String),
    /// `originalcomment`: the comment on the current position.
    Comment,
}

impl Metadata {
    /// The text of a tag with this name.
    pub fn of_tag(name: &str) -> Metadata {
        match name {
            "White" => Metadata::Player(Color::White),
            "Black" => Metadata::Player(Color::Black),
            "Event" => Metadata::Event,
            "Site" => Metadata::Site,
            "Date" => Metadata::Date,
            "EventDate" => Metadata::EventDate,
            "ECO" => Metadata::Eco,
            "FEN" => Metadata::Fen,
            _ => Metadata::Tag(name.to_owned()),
        }
    }
}

/// A place in a string for slices: numbers, negative ones from the end.
#[derive(Clone, Debug, Hash)]
pub enum Slice {
    /// `[i]`
    Index(Box<Filter>),
    /// `[i:j]`, each bound optional.
    Range(Option<Box<Filter>>, Option<Box<Filter>>),
}

/// What is done with the old value when a variable is assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `=?`: only if the set is not empty.
    SetIfAny,
    /// `+= -= *= /= %=`
    Arithmetic(Arithmetic),
    /// `+=` on strings.
    Append,
    /// `|=`
    Union,
    /// `&=`
    Intersection,
}

/// In what order `sort` puts the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SortOrder {
    /// Largest first, the default.
    Descending,
    /// `min`, and also `max`, as CQL 6.2 does it (docs/language/output.md#sort).
    Ascending,
}

/// How often the filter of a `find` has to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FindCount {
    /// No range: the first position, as a position.
    First,
    /// `all`: the number of positions, at least one.
    All,
    /// A range or `count`: the number.
    Range(Range),
}

/// A kind of award in the Event tag of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Award {
    /// `.p`
    Prize,
    /// `.hm`
    HonorableMention,
    /// `.c`
    Commendation,
}

/// `hhdb [special] [max] award`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HhdbAward {
    /// Which kind; `None` for any.
    pub award: Option<Award>,
    /// Only special awards.
    pub special: bool,
    /// The upper rank of a range instead of the lower.
    pub max: bool,
}

/// The texts that `hhdb` string keywords give (docs/language/studies.md#study-strings).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HhdbText {
    /// `composer`
    Composer,
    /// `stipulation`
    Stipulation,
    /// `firstcomment`
    FirstComment,
    /// `search`
    Search,
    /// `gbr`
    Gbr,
    /// `gbr material`
    GbrMaterial,
    /// `gbr pieces`
    GbrPieces,
    /// `gbr pawns`
    GbrPawns,
    /// `gbr kings`
    GbrKings,
    /// `diagram`
    Diagram,
    /// `egdiagram`
    EgDiagram,
}

/// A compiled regular expression with its source.
#[derive(Clone)]
pub struct Regex {
    /// As written.
    pub source: String,
    /// The ECMAScript program.
    pub program: std::sync::Arc<regress::Regex>,
}

impl std::fmt::Debug for Regex {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Regex({:?})", self.source)
    }
}

impl std::hash::Hash for Regex {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // The program follows from the source.
        self.source.hash(state);
    }
}

/// One sort key of a query.
#[derive(Clone, Debug, Hash)]
pub struct SortKey {
    /// What the header comment calls it.
    pub name: String,
    /// The direction.
    pub order: SortOrder,
    /// Whether the header comment leaves it out.
    pub quiet: bool,
    /// The kind of its values: numeric or string.
    pub kind: Kind,
}
