//! Sets of things that filters read and leave behind.

use std::ops::{BitOr, BitOrAssign};

/// Defines a set with named members.
macro_rules! flags {
    ($(#[$doc:meta])* $name:ident { $($(#[$member_doc:meta])* $member:ident = $bit:expr,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The empty set.
            pub const NOTHING: $name = $name(0);
            $($(#[$member_doc])* pub const $member: $name = $name(1 << $bit);)*

            /// Whether the sets have a member in common.
            #[inline]
            pub const fn intersects(self, other: $name) -> bool {
                self.0 & other.0 != 0
            }

            /// The members of this set that are not in another.
            #[must_use]
            pub const fn without(self, other: $name) -> $name {
                $name(self.0 & !other.0)
            }

            /// This set, or the empty one.
            #[must_use]
            pub const fn when(self, condition: bool) -> $name {
                if condition { self } else { $name::NOTHING }
            }

            /// Both sets together.
            #[must_use]
            pub const fn union(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }
        }

        impl BitOr for $name {
            type Output = $name;

            fn bitor(self, other: $name) -> $name {
                self.union(other)
            }
        }

        impl BitOrAssign for $name {
            fn bitor_assign(&mut self, other: $name) {
                *self = self.union(other);
            }
        }
    };
}

flags! {
    /// What a filter reads beside the board and its variables.
    Reads {
        /// The tag `White`.
        WHITE = 0,
        /// The tag `Black`.
        BLACK = 1,
        /// The tag `Event`.
        EVENT = 2,
        /// The tag `Site`.
        SITE = 3,
        /// The tag `Date`.
        DATE = 4,
        /// The tag `EventDate`.
        EVENT_DATE = 5,
        /// The tag `ECO`.
        ECO = 6,
        /// White's rating.
        WHITE_RATING = 7,
        /// Black's rating.
        BLACK_RATING = 8,
        /// The better one of both ratings.
        BEST_RATING = 9,
        /// How the game ended.
        OUTCOME = 10,
        /// The number of the game.
        GAME_NUMBER = 11,
        /// Tags that have no column, comments and glyphs.
        TEXT = 12,
        /// Which piece stands on a square, whatever moves it has made.
        IDENTITY = 13,
        /// What the groups of the last regular expression have matched.
        GROUPS = 14,
        /// A dictionary.
        DICTIONARY = 15,
        /// Whether a variable has a value.
        BINDINGS = 16,
        /// The `path` around the filter.
        PATH = 17,
        /// How far the `path` around the filter has come.
        PATH_END = 18,
        /// A file.
        FILE = 19,
        /// The clocks in comments.
        CLOCK = 20,
        /// How long moves took, by the comments.
        MOVE_TIME = 21,
        /// The evaluations in comments.
        EVALUATION = 22,
    }
}

impl Reads {
    /// What the columns of a game's header hold.
    pub const HEADER: Reads = Reads::WHITE
        .union(Reads::BLACK)
        .union(Reads::EVENT)
        .union(Reads::SITE)
        .union(Reads::DATE)
        .union(Reads::EVENT_DATE)
        .union(Reads::ECO)
        .union(Reads::WHITE_RATING)
        .union(Reads::BLACK_RATING)
        .union(Reads::BEST_RATING)
        .union(Reads::OUTCOME);
}

flags! {
    /// What is left behind when a filter has been evaluated.
    Leaves {
        /// The value of a variable, or that it has none.
        VARIABLE = 0,
        /// What a dictionary holds.
        DICTIONARY = 1,
        /// What the groups of the last regular expression have matched.
        GROUPS = 2,
        /// The last `path`.
        PATH = 3,
        /// Positions where a `line` or `path` may not start again (`nestban`).
        NESTBAN = 4,
        /// A value that games are sorted by.
        SORT_KEY = 5,
        /// A comment in the game, or the number of a position that a comment names.
        COMMENT = 6,
        /// A comment less in the game.
        REMOVED_COMMENT = 7,
        /// A tag of the game.
        TAG = 8,
        /// A message.
        MESSAGE = 9,
        /// A file.
        FILE = 10,
    }
}

impl Leaves {
    /// Changes of the comments in the game.
    pub const COMMENTS: Leaves = Leaves::COMMENT.union(Leaves::REMOVED_COMMENT);
}
