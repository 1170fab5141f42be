//! Commands in a comment, in the spelling that python-chess reads. What has another spelling is no command.

use super::MAX_EVALUATION;

/// A command in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `[%clk h:mm:ss.f]`, in milliseconds.
    Clock(u32),
    /// `[%emt h:mm:ss.f]`, in milliseconds.
    Elapsed(u32),
    /// `[%eval 1.23]`, `[%eval 1.23,20]`
    Centipawns(i16),
    /// `[%eval #-3]`, at most 1,000 moves.
    Mate(i16),
}

/// More moves up to a mate are no mate that an engine has found.
const MAX_MOVES: i16 = 1_000;

/// The commands in a comment, in their order.
#[derive(Clone, Debug)]
pub(super) struct Commands<'t> {
    rest: &'t str,
}

impl<'t> Commands<'t> {
    pub(super) fn of(comment: &'t str) -> Commands<'t> {
        Commands { rest: comment }
    }
}

impl Iterator for Commands<'_> {
    type Item = Command;

    fn next(&mut self) -> Option<Command> {
        loop {
            let (_, rest) = self.rest.split_once("[%")?;
            self.rest = rest;
            let Some((body, _)) = rest.split_once(']') else {
                continue;
            };
            if let Some(command) = command(body) {
                return Some(command);
            }
        }
    }
}

/// The command between `[%` and `]`.
fn command(body: &str) -> Option<Command> {
    // White space in a comment is one blank.
    let (name, value) = body.split_once(' ')?;
    match name {
        "clk" => time(value).map(Command::Clock),
        "emt" => time(value).map(Command::Elapsed),
        "eval" => evaluation(value),
        _ => None,
    }
}

/// `h:mm:ss`, `h:mm:ss.f`, in milliseconds. Too long a time is the longest that there is.
fn time(text: &str) -> Option<u32> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let whole = 3_600 * digits(hours)? + 60 * digits(minutes)? + digits(seconds)?;
    let mut thousandths = 0;
    for (place, digit) in fraction.bytes().enumerate() {
        let digit = u64::from(char::from(digit).to_digit(10)?);
        thousandths += digit * [100, 10, 1].get(place).unwrap_or(&0);
    }
    Some(u32::try_from(whole * 1_000 + thousandths).unwrap_or(u32::MAX))
}

/// Some digits, at least one, as a number; what is very large stays that.
fn digits(text: &str) -> Option<u64> {
    const LARGE: u64 = u32::MAX as u64;
    if text.is_empty() {
        return None;
    }
    let digits = text.chars().map(|c| c.to_digit(10).map(u64::from));
    digits
        .into_iter()
        .try_fold(0, |n: u64, digit| Some((10 * n + digit?).min(LARGE)))
}

/// `1.23`, `-.5`, `7`, `#3`, `#-3`, each with a depth behind a comma or without.
fn evaluation(text: &str) -> Option<Command> {
    let value = match text.split_once(',') {
        Some((value, depth)) => {
            digits(depth)?;
            value
        }
        None => text,
    };
    if let Some(mate) = value.strip_prefix('#') {
        let (sign, moves) = signed(mate);
        let moves = i16::try_from(digits(moves)?).ok().filter(|moves| *moves <= MAX_MOVES)?;
        return Some(Command::Mate(sign * moves));
    }
    let (sign, size) = signed(value);
    let (whole, fraction) = match size.split_once('.') {
        // A point with nothing behind it needs something before it.
        Some((whole, "")) if !whole.is_empty() => (whole, "0"),
        Some((whole, fraction)) => (whole, fraction),
        None => (size, "0"),
    };
    let hundredths = match fraction.len() {
        1 => 10 * digits(fraction)?,
        2 => digits(fraction)?,
        _ => return None,
    };
    let whole = match whole {
        "" if size.starts_with('.') => 0,
        whole if whole.len() <= 10 => digits(whole)?,
        _ => return None,
    };
    let centipawns = i16::try_from(100 * whole + hundredths).unwrap_or(MAX_EVALUATION);
    Some(Command::Centipawns(sign * centipawns.min(MAX_EVALUATION)))
}

/// The sign, and what is behind it.
fn signed(text: &str) -> (i16, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    }
}
