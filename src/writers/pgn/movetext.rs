//! The movetext of a game: moves, glyphs, comments and variations (docs/language/output.md#games-as-pgn).

use chess::GameText;
use evaluator::GameView;
use shakmaty::Color;

use super::bytes::Encoder;
use super::comments::Comments;
use super::wrap::Lines;

/// What is still to be written.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// The moves behind a node.
    Line(u32),
    /// A variation that begins with the move to this node.
    Variation(u32),
    /// The variation without moves that has this number in the game.
    Empty(usize),
    /// The end of a variation.
    Close,
}

/// Writes the moves of one game.
#[derive(Debug)]
pub(super) struct Movetext<'a> {
    view: &'a GameView,
    text: &'a GameText,
    comments: &'a Comments,
    encoder: Encoder,
    lines: Lines,
    steps: Vec<Step>,
    /// Whether a move of Black needs its number: at the start, and after a comment or a variation.
    is_number_due: bool,
}

impl<'a> Movetext<'a> {
    /// Writes the game behind its tags, from the comment before the first move to the result, with the end of its line.
    pub(super) fn write(
        view: &'a GameView,
        text: &'a GameText,
        comments: &'a Comments,
        encoder: Encoder,
        lines: Lines,
    ) -> Vec<u8> {
        let mut movetext = Movetext {
            view,
            text,
            comments,
            encoder,
            lines,
            steps: vec![Step::Line(0)],
            is_number_due: true,
        };
        if let Some(comment) = comments.get(&0) {
            movetext.words(&comment.text);
            // This brace alone never begins a line.
            movetext.lines.glue(b"}");
            movetext.lines.end_line();
        }
        while let Some(step) = movetext.steps.pop() {
            movetext.step(step);
        }
        movetext.lines.word(text.outcome.result().as_bytes());
        movetext.lines.end_line();
        movetext.lines.into_text()
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Line(node) => {
                let mut children = self.view.children(node);
                if let Some(primary) = children.next() {
                    let variations: Vec<u32> = children.collect();
                    self.play(primary);
                    self.steps.push(Step::Line(primary));
                    self.push_variations(primary, &variations);
                }
            }
            Step::Empty(index) => {
                self.open(self.text.empty_variations[index].comment.as_deref());
                self.close();
            }
            Step::Variation(node) => {
                let comments = &self.text.variation_comments;
                let comment = comments.binary_search_by_key(&node, |(node, _)| *node);
                self.open(comment.ok().map(|index| &*comments[index].1));
                self.play(node);
                self.steps.push(Step::Close);
                self.steps.push(Step::Line(node));
                self.push_variations(node, &[]);
            }
            Step::Close => self.close(),
        }
    }

    /// Pushes the variations behind a move as steps, in reverse order; those without moves too.
    fn push_variations(&mut self, node: u32, variations: &[u32]) {
        let empty = &self.text.empty_variations;
        let first = empty.partition_point(|empty| empty.node < node);
        let end = first + empty[first..].partition_point(|empty| empty.node == node);
        let mut left = end;
        for rank in (0..=variations.len()).rev() {
            while left > first && empty[left - 1].rank as usize >= rank {
                left -= 1;
                self.steps.push(Step::Empty(left));
            }
            if let Some(&variation) = rank.checked_sub(1).and_then(|index| variations.get(index)) {
                self.steps.push(Step::Variation(variation));
            }
        }
    }

    fn open(&mut self, comment: Option<&str>) {
        self.lines.word(b"(");
        self.lines.blank();
        self.is_number_due = true;
        if let Some(comment) = comment {
            self.braces(&self.encoder.bytes(comment));
            self.lines.blank();
        }
    }

    fn close(&mut self) {
        self.lines.word(b")");
        self.lines.blank();
        self.is_number_due = true;
    }

    /// Writes the move to a node, with everything that belongs to it.
    fn play(&mut self, node: u32) {
        let (Some(parent), Some(packed)) = (self.view.parent(node), self.view.last_move(node)) else {
            return;
        };
        let board = self.view.board(parent);
        let number = self.view.printed_move_number(parent);
        let san = board.san(packed);
        let dots = match board.turn() {
            Color::White => Some("."),
            Color::Black if self.is_number_due => Some("..."),
            Color::Black => None,
        };
        if let Some(dots) = dots {
            self.lines.word(format!("{number}{dots}").as_bytes());
        }
        self.is_number_due = false;
        self.lines.word(san.as_bytes());
        self.lines.blank();
        let nags = &self.text.nags;
        let first = nags.partition_point(|(other, _)| *other < node);
        for (_, nag) in nags[first..].iter().take_while(|(other, _)| *other == node) {
            self.lines.word(format!("${nag}").as_bytes());
            self.lines.blank();
        }
        if self.comment(node) {
            self.lines.blank();
            self.is_number_due = true;
        }
    }

    /// Writes the comment of a node. Returns whether there is one.
    fn comment(&mut self, node: u32) -> bool {
        let Some(comment) = self.comments.get(&node) else {
            return false;
        };
        self.braces(&comment.text);
        true
    }

    fn braces(&mut self, text: &[u8]) {
        self.words(text);
        self.lines.word(b"}");
    }

    /// A comment without its closing brace. A line end that the query made is one of the output.
    fn words(&mut self, text: &[u8]) {
        self.lines.word(b"{");
        for (index, word) in text.split(|&byte| byte == b' ').enumerate() {
            if index > 0 {
                self.lines.blank();
            }
            for (line, part) in word.split(|&byte| byte == b'\n').enumerate() {
                if line > 0 {
                    self.lines.end_line();
                }
                if !self.lines.wide_word(&self.encoder.written(part), part.len()) {
                    return;
                }
            }
        }
    }
}
