//! Pieces on lines.

use super::pieces::{Piece, Role};

/// How many blanks each step to the right has.
const STEP: usize = 2;

/// A path with so many moves behind the first one has a line for each.
const MOVES: usize = 2;

/// Prints all pieces; the last one is the end of the text.
pub(super) fn print(pieces: &[Piece<'_>], width: usize) -> String {
    let mut printer = Printer {
        pieces,
        width,
        text: String::new(),
        column: 0,
        is_line_empty: true,
        begun: None,
    };
    let end = pieces.len() - 1;
    printer.list(0, end, 0);
    printer.begin_line(end, 0);
    printer.text
}

struct Printer<'p, 't> {
    pieces: &'p [Piece<'t>],
    width: usize,
    text: String,
    /// How many characters the line has.
    column: usize,
    /// Whether nothing but blanks stands on this line.
    is_line_empty: bool,
    /// The piece that begins this line.
    begun: Option<usize>,
}

impl Printer<'_, '_> {
    /// The filters of a list, each on a line of its own; those of a single word share one.
    fn list(&mut self, start: usize, end: usize, indent: usize) {
        let mut from = start;
        let mut was_word = false;
        while from < end {
            let to = self.next_at_this_depth(from, end, |piece| piece.is_filter);
            let is_word = to == from + 1 && self.pieces[from].is_filter && self.pieces[from].role == Role::Word;
            let piece = &self.pieces[from];
            let is_apart = piece.after_blank_line || !piece.comments.is_empty();
            let fits = self.column + 1 + piece.text.chars().count() <= self.width;
            if !(is_word && was_word && !is_apart && fits) {
                self.begin_line(from, indent);
            }
            self.item(from, to, indent);
            was_word = is_word;
            from = to;
        }
    }

    /// Where the next piece for which something holds stands, outside of brackets that open before it; else the end.
    fn next_at_this_depth(&self, from: usize, end: usize, holds: impl Fn(&Piece<'_>) -> bool) -> usize {
        let mut depth = 0_usize;
        for at in from..end {
            let piece = &self.pieces[at];
            if at > from && depth == 0 && (holds(piece) || self.pieces[at - 1].role == Role::LineEnd) {
                return at;
            }
            match piece.role {
                Role::Open | Role::OpenOther => depth += 1,
                Role::Close | Role::CloseOther => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        end
    }

    /// A filter of a list.
    fn item(&mut self, start: usize, end: usize, indent: usize) {
        let breaks = self.breaks(start, end);
        let is_long_path = breaks.len() >= MOVES && self.pieces[breaks[0]].is_step;
        if self.is_short(start, end, self.width) && !is_long_path {
            return self.flat(start, end, indent);
        }
        // What joins braces stands under them.
        let further = match self.pieces[start].role {
            Role::Open => indent,
            _ => indent + STEP,
        };
        let mut at = start;
        let mut inner = indent;
        while at < end {
            if at > start && breaks.contains(&at) && self.may_break(at) {
                self.begin_line(at, further);
                inner = further;
            } else if at > start && self.pieces[at].is_step {
                // Filters of a path stay with their move, as far as there is room.
                let to = self.next_at_this_depth(at, end, |piece| piece.is_step);
                if self.column + self.length(at, to) > self.width && self.may_break(at) {
                    self.begin_line(at, further + STEP);
                }
            }
            if self.pieces[at].role == Role::Open {
                at = self.group(at, inner);
            } else {
                self.piece(at, inner + STEP);
                at += 1;
            }
        }
    }

    /// Where the lines of a long filter begin: the moves of a path, else what `or` joins, else what `and` joins.
    fn breaks(&self, start: usize, end: usize) -> Vec<usize> {
        let all = |holds: &dyn Fn(&Piece<'_>) -> bool| {
            let mut places = Vec::new();
            let mut at = self.next_at_this_depth(start, end, holds);
            while at < end {
                places.push(at);
                at = self.next_at_this_depth(at, end, holds);
            }
            places
        };
        let steps = all(&|piece| piece.is_step);
        if !steps.is_empty() {
            let ends = steps.iter().skip(1).copied().chain([end]);
            let moves = steps.iter().zip(ends).filter(|(from, to)| {
                let is_move = |at: usize| self.pieces[at].role == Role::Move;
                (**from..*to).any(is_move)
            });
            // The first move stays behind the word `path`.
            return moves.map(|(from, _)| *from).skip(1).collect();
        }
        // An operator that is the outermost one of braces only would break what stands in them.
        let or = all(&|piece| piece.role == Role::Logic && piece.text == "or");
        match or.is_empty() {
            true => all(&|piece| piece.role == Role::Logic),
            false => or,
        }
    }

    /// Braces with what is in them; returns the place behind them.
    fn group(&mut self, open: usize, indent: usize) -> usize {
        let close = self.close_of(open);
        let rest = self.width.saturating_sub(self.column);
        if self.is_simple(open + 1, close) && self.is_short(open, close + 1, rest.min(self.width / 2)) {
            self.flat(open, close + 1, indent);
        } else {
            self.piece(open, indent);
            self.list(open + 1, close, indent + STEP);
            self.begin_line(close, indent);
            self.put(self.pieces[close].text);
        }
        close + 1
    }

    /// Whether at most one filter of a list has more than one word, and none is a path of several moves.
    fn is_simple(&self, start: usize, end: usize) -> bool {
        let mut long = 0;
        let mut from = start;
        while from < end {
            let to = self.next_at_this_depth(from, end, |piece| piece.is_filter);
            long += usize::from(to > from + 1);
            let moves = self.breaks(from, to);
            if long > 1 || moves.len() >= MOVES && self.pieces[moves[0]].is_step {
                return false;
            }
            from = to;
        }
        true
    }

    fn close_of(&self, open: usize) -> usize {
        let mut depth = 0_usize;
        for (at, piece) in self.pieces.iter().enumerate().skip(open) {
            match piece.role {
                Role::Open => depth += 1,
                Role::Close if depth == 1 => return at,
                Role::Close => depth -= 1,
                _ => {}
            }
        }
        self.pieces.len() - 1
    }

    /// Whether pieces fit on a line, with nothing among them that ends it.
    fn is_short(&self, start: usize, end: usize, width: usize) -> bool {
        let mut column = if width < self.width { 0 } else { self.column };
        for at in start..end {
            let piece = &self.pieces[at];
            let is_first = at == start;
            let has_break = !is_first && (piece.after_blank_line || !piece.comments.is_empty());
            let is_long_group = piece.role == Role::Open && !is_first && {
                let close = self.close_of(at).min(end - 1);
                self.length(at, close + 1) > self.width / 2 || !self.is_simple(at + 1, close)
            };
            if has_break || is_long_group || matches!(piece.role, Role::LineComment) {
                return false;
            }
            column += piece.text.chars().count() + usize::from(!is_first && !piece.touches);
            if column > width || piece.text.contains('\n') {
                return false;
            }
        }
        true
    }

    /// How many characters pieces have on one line.
    fn length(&self, start: usize, end: usize) -> usize {
        let pieces = self.pieces[start..end].iter();
        pieces
            .map(|piece| piece.text.chars().count() + usize::from(!piece.touches))
            .sum()
    }

    fn flat(&mut self, start: usize, end: usize, indent: usize) {
        for at in start..end {
            self.piece(at, indent + STEP);
        }
    }

    /// Whether a line may begin with this piece.
    fn may_break(&self, at: usize) -> bool {
        !self.pieces[at].touches
    }

    /// A piece; where comments or a blank line stand before it, it begins a line.
    fn piece(&mut self, at: usize, indent: usize) {
        let piece = &self.pieces[at];
        if !piece.comments.is_empty() || piece.after_blank_line {
            self.begin_line(at, indent);
        }
        if !self.is_line_empty && !piece.touches && !piece.text.is_empty() {
            self.put(" ");
        }
        self.put(piece.text);
    }

    /// Begins the line of a piece, unless that has happened. What stands before it comes first: comments behind the piece
    /// before on its line, others on lines of their own.
    fn begin_line(&mut self, at: usize, indent: usize) {
        if self.begun == Some(at) {
            return;
        }
        self.begun = Some(at);
        let piece = &self.pieces[at];
        let own = piece.comments.iter().position(|comment| comment.own_line);
        let (behind, own) = piece.comments.split_at(own.unwrap_or(piece.comments.len()));
        for comment in behind {
            self.put(" ");
            self.put(comment.text);
        }
        self.new_line(indent);
        for comment in own {
            if comment.after_blank_line {
                self.blank_line();
            }
            self.put(comment.text);
            self.new_line(indent);
        }
        if piece.after_blank_line && piece.role != Role::End {
            self.blank_line();
        }
    }

    /// Puts a blank line before the line that is empty so far.
    fn blank_line(&mut self) {
        let line = self.text.rfind('\n').map_or(0, |end| end + 1);
        if line > 0 && !self.text.ends_with("\n\n") && !self.text[..line].ends_with("\n\n") {
            self.text.insert(line, '\n');
        }
    }

    fn new_line(&mut self, indent: usize) {
        self.text.truncate(self.text.trim_end_matches(' ').len());
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.is_line_empty = true;
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
        let line = text.rsplit('\n').next().unwrap_or(text);
        self.column = if line.len() == text.len() { self.column } else { 0 } + line.chars().count();
        self.is_line_empty &= text.trim().is_empty();
    }
}
