//! Numbers of filters, and of the things that a query has tables of.

/// A variable; an index into [`super::ParsedQuery::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A dictionary; an index into [`super::ParsedQuery::dictionaries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DictionaryId(pub u32);

/// What a sort key orders by; an index into [`super::ParsedQuery::sorts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SortId(pub u32);

/// A memory that one `line` or `path` of the text has through a game (`nestban`): an index below
/// [`super::ParsedQuery::sequences`].
/// Every copy that a transform makes has a memory of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SequenceId(pub u32);

/// Lets an index into a table of the query be its id.
macro_rules! indexes {
    ($($id:ident),*) => {
        $(impl $id {
            /// The id of the thing at this place of the table.
            ///
            /// # Panics
            ///
            /// If the table had more than four thousand million entries: texts are far too short for that.
            pub(crate) fn at(index: usize) -> $id {
                $id(u32::try_from(index).expect("a text names fewer than 2^32 things"))
            }
        })*
    };
}

indexes!(VariableId, DictionaryId, SortId);

/// The number of a filter in its [`super::Query`], below [`super::Query::filter_count`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FilterId(u32);

impl FilterId {
    /// What a filter has until its query is expanded.
    pub(crate) const NONE: FilterId = FilterId(u32::MAX);

    pub(crate) const fn new(number: u32) -> FilterId {
        FilterId(number)
    }

    /// The place in a vector with an item for every filter.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
