//! How far the evaluation of a `path`, a `line` or a dash may get: what is inside a step is reached where the steps before
//! it may match.

use language::facts::note_assigned;
use language::hir::{Constituent, Dash, Filter, Line, Path, PathStep, Promotion, Repeat};

use super::Lowering;
use super::moves::InFocus;
use super::reach::{Wanted, is_fixed};
use super::scope::Way;
use super::sequence_parts::SequencePart;
use crate::expr::{Candidates, Truth};

impl<'q> Lowering<'q> {
    /// Where something inside a dash may be reached.
    pub(super) fn reach_in_dash(&mut self, dash: &'q Dash, wanted: Wanted) -> Truth {
        let operands = self.reach_in_operands(dash, wanted);
        let moved = self.reach_in_targets(dash, wanted, None);
        let there = match moved {
            Some(SequencePart::Move { here, after, .. }) => {
                let next = self.one_move_away(Way::Forward, after);
                Candidates::both(here, next).truth
            }
            _ => Truth::Never,
        };
        Truth::any([operands, there])
    }

    /// The same inside the operands of a dash, which are evaluated before the move.
    fn reach_in_operands(&mut self, dash: &'q Dash, wanted: Wanted) -> Truth {
        let text = match &dash.promotion {
            Some(Promotion::Text(text)) => Some(&**text),
            _ => None,
        };
        let operands: Vec<&'q Filter> = dash.left.iter().chain(&dash.right).chain(text).collect();
        let found: Vec<Truth> = operands
            .into_iter()
            .map(|operand| self.reach(operand, false, wanted))
            .collect();
        Truth::any(found)
    }

    /// The same inside the targets of a dash: the move up to the target where it is. `None` if it is in none.
    fn reach_in_targets(&mut self, dash: &'q Dash, wanted: Wanted, focus: Option<InFocus>) -> Option<SequencePart> {
        let assigned = self.assigned.len();
        let reached = self.elsewhere(Some(Way::Forward), |lowering| {
            lowering.reach_in_list(dash.target.iter(), true, wanted)
        });
        self.assigned.truncate(assigned);
        if reached == Truth::Never {
            return None;
        }
        let moved = self.move_of(dash, focus);
        Some(SequencePart::Move {
            here: moved.here,
            after: Candidates::at_most(Truth::all([moved.after.truth, reached])),
            step: None,
        })
    }

    /// Where something inside a path may be reached.
    pub(super) fn reach_in_path(&mut self, path: &'q Path, wanted: Wanted) -> Truth {
        let is_error = matches!(wanted, Wanted::Error);
        if is_error && !is_fixed(path.range.as_ref()) {
            return Truth::Always;
        }
        let focus = path.focus.as_ref().map(|focus| &focus.pieces);
        let mut found = match focus {
            Some(focus) => vec![self.reach(focus, false, wanted)],
            None => Vec::new(),
        };
        for value in path.title.iter().chain(&path.max) {
            if self.reach(value, false, wanted) != Truth::Never {
                return Truth::Always;
            }
        }
        self.forget_assigned_by_steps(&path.steps);
        let outer = self.scope.path_start.replace(self.scope.frame);
        let mut prefixes = Vec::new();
        let men = self.men_in_focus(path);
        self.prefixes_of_steps(&path.steps, true, (wanted, men), &[], &mut prefixes);
        self.scope.path_start = outer;
        let spacing = Self::spacing_of(path);
        // Where nothing is in focus, the steps before the first move are evaluated all the same.
        for prefix in prefixes {
            found.push(self.sequence(&prefix, spacing, Candidates::EVERYWHERE).truth);
        }
        Truth::any(found)
    }

    /// The beginnings of a path up to what is looked for. `before` is what comes before these steps.
    fn prefixes_of_steps(
        &mut self,
        list: &'q [PathStep],
        mut is_here: bool,
        (wanted, focus): (Wanted, Option<InFocus>),
        before: &[SequencePart],
        found: &mut Vec<Vec<SequencePart>>,
    ) {
        let assigned = self.assigned.len();
        let mut before = before.to_vec();
        for step in list {
            let mut begins = before.clone();
            let (saved, frame) = (self.scope.save(), self.scope.frame);
            let repeat = match step {
                PathStep::Filter(_) => Repeat::ONCE,
                PathStep::Dash { repeat, .. } | PathStep::Chain { repeat, .. } => *repeat,
            };
            if repeat != Repeat::ONCE {
                is_here = false;
                self.forget_assigned_by_steps(std::slice::from_ref(step));
                let any = Repeat { min: 0, max: None };
                let once = match step {
                    PathStep::Dash { dash, .. } => {
                        let moved = self.elsewhere(Some(Way::Forward), |lowering| lowering.dash_move(dash, focus, &[]));
                        vec![SequencePart::Move {
                            here: moved.here,
                            after: moved.after,
                            step: None,
                        }]
                    }
                    PathStep::Chain { steps, .. } => self.steps_of(steps, false, focus, &[]),
                    PathStep::Filter(_) => Vec::new(),
                };
                begins.push(SequencePart::Repeat(once, any));
                self.scope.restore(saved.clone());
                self.forget_assigned_by_steps(std::slice::from_ref(step));
            }
            let way = if is_here { None } else { Some(Way::Forward) };
            let at_step = |lowering: &mut Self, wanted: &mut dyn FnMut(&mut Self)| match way {
                None => wanted(lowering),
                way => lowering.elsewhere(way, |lowering| wanted(lowering)),
            };
            match step {
                PathStep::Filter(filter) => at_step(self, &mut |lowering| {
                    let reached = lowering.reach(filter, true, wanted);
                    if reached != Truth::Never {
                        found.push(with(&begins, SequencePart::Test(Candidates::at_most(reached))));
                    }
                }),
                PathStep::Dash { dash, .. } => at_step(self, &mut |lowering| {
                    let reached = lowering.reach_in_operands(dash, wanted);
                    if reached != Truth::Never {
                        found.push(with(&begins, SequencePart::Test(Candidates::at_most(reached))));
                    }
                    if let Some(part) = lowering.reach_in_targets(dash, wanted, focus) {
                        found.push(with(&begins, part));
                    }
                }),
                PathStep::Chain { steps, .. } => {
                    self.prefixes_of_steps(steps, is_here, (wanted, focus), &begins, found);
                }
            }
            self.scope.frame = frame;
            self.scope.restore(saved);
            let parts = self.steps_of(std::slice::from_ref(step), is_here, focus, &[]);
            is_here &= parts.iter().all(|part| part.length().1 == Some(0));
            before.extend(parts);
            match step {
                PathStep::Filter(filter) => note_assigned(filter, &mut self.assigned),
                PathStep::Dash { dash, repeat } if repeat.min > 0 => {
                    dash.target
                        .iter()
                        .for_each(|target| note_assigned(target, &mut self.assigned));
                }
                // What a chain assigns certainly is not looked at.
                PathStep::Dash { .. } | PathStep::Chain { .. } => {}
            }
        }
        self.assigned.truncate(assigned);
    }

    /// Where something inside a line may be reached.
    pub(super) fn reach_in_line(&mut self, line: &'q Line, wanted: Wanted) -> Truth {
        if matches!(wanted, Wanted::Error) && !is_fixed(line.range.as_ref()) {
            return Truth::Always;
        }
        let (way, spacing) = Self::spacing_of_line(line);
        let mut prefixes = Vec::new();
        self.prefixes_of_constituents(&line.constituents, way, true, wanted, &[], &mut prefixes);
        let found: Vec<Truth> = prefixes
            .into_iter()
            .map(|prefix| self.begins(&prefix, spacing, 0).truth)
            .collect();
        Truth::any(found)
    }

    fn prefixes_of_constituents(
        &mut self,
        list: &'q [Constituent],
        way: Way,
        mut is_here: bool,
        wanted: Wanted,
        before: &[SequencePart],
        found: &mut Vec<Vec<SequencePart>>,
    ) {
        let assigned = self.assigned.len();
        let mut before = before.to_vec();
        for constituent in list {
            let (Constituent::Filter { repeat, .. } | Constituent::Group { repeat, .. }) = constituent;
            let mut begins = before.clone();
            let saved = self.scope.save();
            let forget = |lowering: &mut Self| {
                super::sequences::for_each_filter(std::slice::from_ref(constituent), &mut |filter| {
                    lowering.forget_assigned(filter);
                });
            };
            if *repeat != Repeat::ONCE {
                is_here = false;
                forget(self);
                let any = Repeat { min: 0, max: None };
                let once = match constituent {
                    Constituent::Filter { filter, .. } => vec![SequencePart::Move {
                        here: Candidates::EVERYWHERE,
                        after: self.elsewhere(Some(way), |lowering| lowering.truth(filter)),
                        step: None,
                    }],
                    Constituent::Group { constituents, .. } => self.constituents(constituents, way, false),
                };
                begins.push(SequencePart::Repeat(once, any));
                self.scope.restore(saved.clone());
                forget(self);
            }
            match constituent {
                Constituent::Filter { filter, .. } => {
                    let reached = match is_here {
                        true => self.reach(filter, true, wanted),
                        false => self.elsewhere(Some(way), |lowering| lowering.reach(filter, true, wanted)),
                    };
                    if reached != Truth::Never {
                        let part = SequencePart::Move {
                            here: Candidates::EVERYWHERE,
                            after: Candidates::at_most(reached),
                            step: None,
                        };
                        found.push(with(&begins, part));
                    }
                }
                Constituent::Group { constituents, .. } => {
                    self.prefixes_of_constituents(constituents, way, is_here, wanted, &begins, found);
                }
            }
            self.scope.restore(saved);
            before.extend(self.constituents(std::slice::from_ref(constituent), way, is_here));
            is_here = false;
            if let Constituent::Filter { filter, repeat } = constituent
                && repeat.min > 0
            {
                note_assigned(filter, &mut self.assigned);
            }
        }
        self.assigned.truncate(assigned);
    }

    fn forget_assigned_by_steps(&mut self, steps: &'q [PathStep]) {
        for step in steps {
            super::sequences::for_each_filter_of_step(step, &mut |filter| self.forget_assigned(filter));
        }
    }
}

/// Parts with one more.
fn with(parts: &[SequencePart], last: SequencePart) -> Vec<SequencePart> {
    parts.iter().cloned().chain([last]).collect()
}
