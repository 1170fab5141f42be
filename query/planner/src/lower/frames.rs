//! The positions that the lowering has come to, and how they lie to each other.

/// One of the positions: an index into [`Frames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame(usize);

/// How a position was reached from another one.
#[derive(Clone, Copy, Debug)]
struct Reached {
    from: Frame,
    /// Whether it is certainly not before that in the game.
    is_later: bool,
    /// How many plies later it is, where that is known.
    plies: Option<i32>,
}

/// All positions of a filter.
#[derive(Debug)]
pub(super) struct Frames(Vec<Reached>);

impl Frames {
    /// The position of the whole filter.
    pub(super) const FIRST: Frame = Frame(0);

    pub(super) fn new() -> Frames {
        Frames(vec![Reached {
            from: Frames::FIRST,
            is_later: true,
            plies: Some(0),
        }])
    }

    /// A position that is reached from another one.
    pub(super) fn add(&mut self, from: Frame, is_later: bool, plies: Option<i32>) -> Frame {
        self.0.push(Reached { from, is_later, plies });
        Frame(self.0.len() - 1)
    }

    /// The way from a position to another one: `None` if it was not reached from it, otherwise whether it is certainly not
    /// before it.
    pub(super) fn is_later(&self, from: Frame, to: Frame) -> Option<bool> {
        let (mut at, mut is_later) = (to, true);
        while at != from {
            if at == Frames::FIRST {
                return None;
            }
            let Reached {
                from, is_later: step, ..
            } = self.0[at.0];
            is_later &= step;
            at = from;
        }
        Some(is_later)
    }

    /// How many plies a position is behind another one, if that is known.
    pub(super) fn plies(&self, from: Frame, to: Frame) -> Option<i32> {
        let of = |one: Frame| self.origins(one).collect::<Vec<_>>();
        let (from, to) = (of(from), of(to));
        let (plies, others) = to.into_iter().find_map(|(origin, plies)| {
            let (_, others) = from.iter().find(|(other, _)| *other == origin)?;
            Some((plies, *others))
        })?;
        Some(plies? - others?)
    }

    /// A position and those that it was reached from, each with the number of plies from it, if that is known.
    fn origins(&self, frame: Frame) -> impl Iterator<Item = (Frame, Option<i32>)> {
        let before = |&(at, plies): &(Frame, Option<i32>)| {
            let reached = self.0[at.0];
            (at != Frames::FIRST).then(|| (reached.from, plies.zip(reached.plies).map(|(a, b)| a + b)))
        };
        std::iter::successors(Some((frame, Some(0))), before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_from_the_nearest_position_in_common() {
        let mut frames = Frames::new();
        let somewhere = frames.add(Frames::FIRST, true, None);
        let one = frames.add(somewhere, true, Some(1));
        let three = frames.add(somewhere, true, Some(3));
        let back = frames.add(three, false, Some(-1));
        assert_eq!(frames.plies(somewhere, back), Some(2));
        assert_eq!(frames.plies(one, back), Some(1));
        assert_eq!(frames.plies(back, one), Some(-1));
        assert_eq!(frames.plies(three, three), Some(0));
        assert_eq!(frames.plies(Frames::FIRST, one), None);
        assert_eq!(frames.is_later(somewhere, back), Some(false));
        assert_eq!(frames.is_later(one, three), None);
    }
}
