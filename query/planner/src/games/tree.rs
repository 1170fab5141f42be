//! Conditions on positions that may be any number of plies away.

use super::super::expr::Truth;

/// A condition on other positions of the same game.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Its number in the plan, under which its positions are kept; those inside have smaller ones.
    pub id: usize,
    /// What it says.
    pub step: Step,
}

/// Two that say the same are the same, whatever their numbers.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.step == other.step
    }
}

/// What a [`Tree`] says.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// It holds after one more move; only where variations are searched, else it is an offset.
    Next(Truth),
    /// It held before the last move; only where variations are searched, else it is an offset.
    Previous(Truth),
    /// It holds in some position of the game.
    Game(Truth),
    /// The second holds here or later, and the first from here up to the position before that.
    Until {
        /// From here on.
        while_: Truth,
        /// At last.
        then: Truth,
        /// How many plies apart the positions are that are looked at.
        stride: u32,
    },
    /// The second holds here or earlier, and the first from here back to the position after that.
    Since {
        /// Back from here.
        while_: Truth,
        /// At first.
        then: Truth,
        /// How many plies apart the positions are that are looked at.
        stride: u32,
    },
    /// It holds here and in the positions after this one, so many in all.
    Run(Truth, u32),
    /// It holds in so many positions from here on (or from here back), this one included.
    Count {
        /// What holds.
        of: Truth,
        /// Whether the positions up to this one are meant.
        backward: bool,
        /// At least so many.
        min: u32,
        /// At most so many.
        max: u32,
    },
}

impl Step {
    /// The conditions inside.
    pub fn parts(&self) -> impl Iterator<Item = &Truth> {
        let (first, second) = match self {
            Step::Next(inner)
            | Step::Previous(inner)
            | Step::Game(inner)
            | Step::Run(inner, _)
            | Step::Count { of: inner, .. } => (inner, None),
            Step::Until { while_, then, .. } | Step::Since { while_, then, .. } => (while_, Some(then)),
        };
        std::iter::once(first).chain(second)
    }

    /// The same with other conditions inside.
    ///
    /// # Errors
    ///
    /// The first error of `f`.
    pub fn try_map<E>(self, mut f: impl FnMut(Truth) -> Result<Truth, E>) -> Result<Step, E> {
        Ok(match self {
            Step::Next(inner) => Step::Next(f(inner)?),
            Step::Previous(inner) => Step::Previous(f(inner)?),
            Step::Game(inner) => Step::Game(f(inner)?),
            Step::Run(inner, count) => Step::Run(f(inner)?, count),
            Step::Count { of, backward, min, max } => Step::Count {
                of: f(of)?,
                backward,
                min,
                max,
            },
            Step::Until { while_, then, stride } => Step::Until {
                while_: f(while_)?,
                then: f(then)?,
                stride,
            },
            Step::Since { while_, then, stride } => Step::Since {
                while_: f(while_)?,
                then: f(then)?,
                stride,
            },
        })
    }
}
