//! The positions that the lowering has come to, and how each was reached.

/// In which direction other positions lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// After moves.
    Forward,
    /// Before moves.
    Backward,
}

impl Way {
    /// The way that `find` goes.
    pub(super) fn of_find(backward: bool) -> Way {
        if backward { Way::Backward } else { Way::Forward }
    }
}

/// One of the positions that the lowering has come to: an index into [`Frames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Frame(usize);

/// How a frame was reached from another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    from: Frame,
    /// Whether it is certainly not before that in the game.
    pub(super) is_later: bool,
    /// How many ids later it is, if that is known.
    pub(super) ids: Option<i32>,
}

/// The positions that the lowering has come to.
#[derive(Debug)]
pub(super) struct Frames(Vec<Step>);

impl Frame {
    /// The one of the query itself.
    pub(super) const FIRST: Frame = Frame(0);
}

impl Frames {
    /// The first one.
    pub(super) fn new() -> Frames {
        Frames(vec![Step {
            from: Frame::FIRST,
            is_later: true,
            ids: Some(0),
        }])
    }

    /// A position that is reached from another one.
    pub(super) fn add(&mut self, from: Frame, is_later: bool, ids: Option<i32>) -> Frame {
        self.0.push(Step { from, is_later, ids });
        Frame(self.0.len() - 1)
    }

    /// The way from one frame to another, if that was reached from it.
    pub(super) fn way(&self, from: Frame, to: Frame) -> Option<Step> {
        let (mut at, mut is_later, mut ids) = (to, true, Some(0));
        while at != from {
            if at == Frame::FIRST {
                return None;
            }
            let step = self.0[at.0];
            is_later &= step.is_later;
            ids = ids.zip(step.ids).map(|(ids, more)| ids + more);
            at = step.from;
        }
        Some(Step { from, is_later, ids })
    }
}
