//! Conditions on the next move of the main line.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use chess::{Mailbox, PackedMove};

use super::courses::{Course, Courses};
use super::move_kinds::{MOST_KINDS, MoveKinds};
use super::move_pattern::MovePattern;
use super::move_rows::MoveRows;
use super::move_times::counts_moves;
use super::{Expr, Truth, hash_of};

/// Conditions whose lists cost no more than this, in plane operations for a block, are found by lists.
const MOST_BY_LISTS: f64 = 100.0;

/// The same where there are many conditions.
const FEW_BY_LISTS: f64 = 10.0;

/// The moves are read if the lists of all other conditions, each as often as it is asked, cost more than this.
const A_PASS: f64 = 600.0;

/// How many conditions are found in one pass over the moves: each takes a bit for each position.
const MOST_IN_GROUP: usize = 256;

/// Where more conditions than this are found together, a stage asks for most of them.
const MANY_IN_GROUP: usize = 32;

/// What a pass over the moves of a block of positions is expected to cost, in plane operations: 11 ns for each position.
const PASS: f64 = 2_250.0;

/// Where the next move is one of those that a pattern means.
///
/// It can be found in two ways: by what stands where before and after the move, or by the moves themselves. A plan decides
/// for all its conditions at once, as they are found in one pass over the moves.
#[derive(Debug)]
pub struct NextMove {
    pattern: MovePattern,
    /// What more is asked of the man that makes it. Lists don't tell that.
    course: Option<Course>,
    /// The same by lists, or an upper bound of that. Where it stands, what it gives for castling and null moves does not matter.
    listed: Truth,
    /// What these lists cost, in plane operations for a block.
    listed_cost: f64,
    /// How many ids later and earlier they look at most.
    listed_reach: i32,
    /// The hash of both.
    hash: u64,
    /// Where it is found, if by the moves.
    place: OnceLock<(Arc<MoveGroup>, usize)>,
}

impl PartialEq for NextMove {
    fn eq(&self, other: &NextMove) -> bool {
        // Equal ones that are found together have one number.
        if let (Some((group, number)), Some((others, other))) = (self.place(), other.place())
            && Arc::ptr_eq(group, others)
        {
            return number == other;
        }
        // The same lists say that a man has moved away and that it was captured.
        self.hash == other.hash
            && self.pattern == other.pattern
            && self.course == other.course
            && self.listed == other.listed
    }
}

/// So that one that is shared is not compared with itself.
impl Eq for NextMove {}

impl Hash for NextMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl NextMove {
    /// The condition that the next move is one of these, which `listed` says by lists.
    pub(crate) fn truth(pattern: MovePattern, listed: Truth) -> Truth {
        match listed {
            Truth::Always | Truth::Never | Truth::Term(_) => listed,
            listed => NextMove::condition(pattern, None, listed),
        }
    }

    /// The condition that one man makes certain moves, the first of which is one of these; `listed` is an upper bound by
    /// lists.
    pub(crate) fn course(pattern: MovePattern, course: Course, listed: Truth) -> Truth {
        NextMove::condition(pattern, Some(course), listed)
    }

    fn condition(pattern: MovePattern, course: Option<Course>, listed: Truth) -> Truth {
        Truth::Move(Arc::new(NextMove {
            hash: hash_of(&(&pattern, &course, &listed)),
            listed_cost: listed.cost(),
            listed_reach: listed.reach(),
            pattern,
            course,
            listed,
            place: OnceLock::new(),
        }))
    }

    /// Both conditions in one, if they are about the same men that stand elsewhere some moves later.
    pub(crate) fn with_moved(&self, other: &NextMove) -> Option<Truth> {
        let (Some(Course::Moved(moved)), Some(Course::Moved(others))) = (&self.course, &other.course) else {
            return None;
        };
        let both = Course::Moved(moved.with(*others)?);
        Some(NextMove::course(self.pattern.clone(), both, self.listed.clone()))
    }

    /// The moves that are meant.
    pub(crate) fn pattern(&self) -> &MovePattern {
        &self.pattern
    }

    /// Whether one man is followed from move to move.
    pub(crate) fn follows_a_man(&self) -> bool {
        self.course.is_some()
    }

    /// What more is asked of the man that makes the move.
    pub(crate) fn course_of_man(&self) -> Option<&Course> {
        self.course.as_ref()
    }

    /// The same by lists, or an upper bound of it.
    pub(crate) fn listed(&self) -> &Truth {
        &self.listed
    }

    /// How many ids later and earlier it looks at most.
    pub(crate) fn reach(&self) -> i32 {
        self.place().map_or(self.listed_reach, |_| 0)
    }

    /// A guess at the share of moves whose man does the rest that is asked of it.
    pub(crate) fn share_of_course(&self) -> f64 {
        match self.place().and(self.course.as_ref()) {
            None => 1.0,
            Some(Course::Later(_)) => 0.1,
            Some(Course::Maneuver(_) | Course::Window(_)) => 0.05,
            Some(Course::Moved(moved)) if moved.same_way => 0.02,
            Some(Course::Moved(_)) => 0.5,
            Some(Course::InARow(next)) => next.iter().take(8).map(|_| 0.4).product(),
        }
    }

    /// The group with which it is found, and its number there; `None` if it is found by lists.
    #[inline]
    pub(crate) fn place(&self) -> Option<(&Arc<MoveGroup>, usize)> {
        self.place.get().map(|(group, number)| (group, *number))
    }

    /// What it costs at most, in plane operations for a block.
    pub(crate) fn cost(&self) -> f64 {
        match self.place() {
            // Those that are found together share the pass, of which one stage asks few. But where there are many, as for each
            // square, it asks most of them. A man is followed from many squares.
            Some((group, _)) if self.follows_a_man() || group.len() > MANY_IN_GROUP => PASS / group.len() as f64,
            Some(_) => PASS / 2.0,
            None => self.listed_cost,
        }
    }
}

/// The conditions on moves that are found in one pass.
#[derive(Debug)]
pub(crate) struct MoveGroup {
    /// How many there are.
    count: usize,
    /// The kinds of moves: first those that a condition asks for which asks for one move, then all others.
    kinds: MoveKinds,
    /// By kind, the number of the condition that asks for such a move and nothing else.
    singles: Vec<usize>,
    /// The conditions that ask for one move, where they are too many for kinds.
    many: Option<MoveRows>,
    /// Those that ask for several moves of one man.
    courses: Option<Courses>,
    /// Whether it is asked how often some of them hold.
    is_counted: bool,
}

impl MoveGroup {
    /// Decides how the conditions on moves of an expression are found: by the moves themselves, where lists cost more, or can't
    /// tell. False if they would have to be found by moves and are too many.
    pub(crate) fn gather(truth: &Truth) -> bool {
        let by_lists = |all: &[&NextMove]| -> f64 { all.iter().map(|next| next.listed_cost).sum() };
        let mut all: Vec<&NextMove> = Vec::new();
        collect(Expr::Truth(truth), MOST_BY_LISTS, &mut all);
        if by_lists(&all) < A_PASS && !all.iter().any(|next| next.follows_a_man()) {
            // Many cheap ones cost more than a pass, too.
            all.clear();
            collect(Expr::Truth(truth), FEW_BY_LISTS, &mut all);
            if by_lists(&all) < PASS {
                return true;
            }
        }
        let mut distinct: Vec<&NextMove> = Vec::new();
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut numbers = Vec::with_capacity(all.len());
        for next in &all {
            let same = by_hash.entry(next.hash).or_default();
            let known = same.iter().copied().find(|&number| distinct[number] == *next);
            numbers.push(known.unwrap_or_else(|| {
                same.push(distinct.len());
                distinct.push(next);
                distinct.len() - 1
            }));
        }
        // Of too many, those that lists can tell are left to them.
        let is_many = distinct.len() > MOST_IN_GROUP;
        let found: Vec<usize> = (0..distinct.len())
            .filter(|&number| !is_many || distinct[number].course.is_some())
            .collect();
        if found.is_empty() || found.len() > MOST_IN_GROUP {
            return found.is_empty();
        }
        let conditions: Vec<&NextMove> = found.iter().map(|&number| distinct[number]).collect();
        let Some(group) = MoveGroup::of(&conditions) else {
            return false;
        };
        let group = Arc::new(MoveGroup {
            is_counted: counts_moves(truth),
            ..group
        });
        for (next, number) in all.into_iter().zip(numbers) {
            if let Ok(place) = found.binary_search(&number) {
                // Two plans of a query may share it; both give the same.
                let _ = next.place.set((Arc::clone(&group), place));
            }
        }
        true
    }

    /// Conditions that are found together; `None` if they are of too many kinds.
    fn of(conditions: &[&NextMove]) -> Option<MoveGroup> {
        let of_courses = || {
            conditions.iter().enumerate().filter_map(|(number, condition)| {
                let course = condition.course.as_ref()?;
                Some((number, &condition.pattern, course))
            })
        };
        let is_single = |number: usize| conditions[number].course.is_none();
        let mut singles: Vec<usize> = (0..conditions.len()).filter(|&number| is_single(number)).collect();
        let mut kinds: Vec<MovePattern> = singles
            .iter()
            .map(|&number| conditions[number].pattern.clone())
            .collect();
        let mut courses = Courses::of(of_courses(), &mut kinds);
        let many = (kinds.len() > MOST_KINDS).then(|| {
            let patterns = conditions.iter().map(|condition| condition.pattern.clone());
            MoveRows::of(patterns.collect(), is_single)
        });
        if many.is_some() {
            singles.clear();
            kinds.clear();
            courses = Courses::of(of_courses(), &mut kinds);
        }
        (kinds.len() <= MOST_KINDS).then(|| MoveGroup {
            count: conditions.len(),
            kinds: MoveKinds::of(kinds),
            singles,
            many,
            courses: Some(courses).filter(|courses| !courses.is_empty()),
            is_counted: false,
        })
    }

    /// The conditions that ask for several moves of one man.
    pub(crate) fn courses(&self) -> Option<&Courses> {
        self.courses.as_ref()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Whether it is asked how often some of them hold in a game.
    pub(crate) fn is_counted(&self) -> bool {
        self.is_counted
    }

    /// Plays the moves of a game on its first board and adds for each the kinds that it is of, a bit for each. Calls `found`
    /// with the numbers of the conditions that ask for one move and have no kinds, and the index of each move that they mean.
    pub(crate) fn kinds_of_line(
        &self,
        board: &mut Mailbox,
        line: &[PackedMove],
        kinds: &mut Vec<u64>,
        mut found: impl FnMut(usize, usize),
    ) {
        let Some(many) = &self.many else {
            return self.kinds.of_line(board, line, kinds);
        };
        for (index, &m) in line.iter().enumerate() {
            many.each(board, m, |number| found(number, index));
            kinds.push(self.kinds.of_move(board, m));
            board.play(m);
        }
    }

    /// The numbers of the conditions that ask for a move of a kind and nothing else, by kind.
    pub(crate) fn singles(&self) -> &[usize] {
        &self.singles
    }
}

/// Collects the conditions on moves that follow a man or whose lists cost more than this.
fn collect<'t>(expr: Expr<'t>, by_lists: f64, all: &mut Vec<&'t NextMove>) {
    if let Expr::Truth(Truth::Move(next)) = expr
        && (next.course.is_some() || next.listed_cost > by_lists)
    {
        all.push(next);
        return;
    }
    expr.for_each_part(|_, part| collect(part, by_lists, all));
}
