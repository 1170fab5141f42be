//! Builds the move tree of a game: moves are added in the order of the PGN, and numbered in preorder at the end.

use chess::{
    Annotations, Board, Branch, EmptyVariation, Game, GameText, MoveTree, Outcome, PackedMove, Start, TextEncoding,
};

use crate::spelling::{CastlingHomes, Refusal, Spelled, Stage};

/// Deeper variations are left out. Real games are far from it.
const MAX_DEPTH: usize = 12_000;

/// The rest of a game with more positions is left out.
const MAX_NODES: usize = 1 << 20;

/// The position that a game starts from.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    pub(crate) start: Start,
    pub(crate) stage: Stage,
    pub(crate) homes: CastlingHomes,
}

impl Root {
    /// The normal initial position.
    pub(crate) fn standard() -> Root {
        let stage = Stage {
            board: Board::initial(),
            en_passant: None,
        };
        Root {
            start: Start::Standard,
            stage,
            homes: CastlingHomes::STANDARD,
        }
    }
}

/// Why a move was not added to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rejected {
    Move(Refusal),
    TooLong,
    TooDeep,
}

/// A node other than the root, in the order of the PGN.
#[derive(Clone, Copy, Debug)]
struct Node {
    m: PackedMove,
    parent: u32,
}

/// A node's number, from its place among at most [`MAX_NODES`].
#[inline]
fn index(at: usize) -> u32 {
    debug_assert!(at < MAX_NODES, "`play` adds no more nodes");
    #[expect(clippy::cast_possible_truncation, reason = "it is below MAX_NODES")]
    let number = at as u32;
    number
}

/// A line that a variation interrupts. It has at least one move, and its moves are not dropped.
#[derive(Debug)]
struct Line {
    stage: Stage,
    node: u32,
    base: Base,
    variations: u32,
}

/// The position before the first move of a line.
#[derive(Clone, Debug)]
struct Base {
    node: u32,
    stage: Stage,
}

/// Builds the trees of one game after another.
#[derive(Debug)]
pub(crate) struct TreeBuilder {
    root: Root,
    nodes: Vec<Node>,
    stage: Stage,
    /// The current position of the current line.
    node: u32,
    base: Base,
    /// The number of variations with moves after the last move so far.
    variations: u32,
    /// Whether the current line has a move.
    has_moves: bool,
    /// Whether the rest of the current line is left out.
    is_dead: bool,
    /// A comment before the first move of the variation.
    pending: Option<String>,
    outer: Vec<Line>,
    /// The number of open variations that are left out.
    ignored: usize,
    comments: Vec<(u32, String)>,
    annotations: Annotations,
    variation_comments: Vec<(u32, String)>,
    nags: Vec<(u32, u8)>,
    empty_variations: Vec<EmptyVariation>,
}

impl TreeBuilder {
    pub(crate) fn new() -> TreeBuilder {
        let root = Root::standard();
        TreeBuilder {
            stage: root.stage.clone(),
            base: Base {
                node: 0,
                stage: root.stage.clone(),
            },
            root,
            nodes: Vec::new(),
            node: 0,
            variations: 0,
            has_moves: false,
            is_dead: false,
            pending: None,
            outer: Vec::new(),
            ignored: 0,
            comments: Vec::new(),
            annotations: Annotations::default(),
            variation_comments: Vec::new(),
            nags: Vec::new(),
            empty_variations: Vec::new(),
        }
    }

    /// Begins a game and forgets the previous one.
    pub(crate) fn begin(&mut self, root: Root) {
        self.stage.clone_from(&root.stage);
        self.base.node = 0;
        self.base.stage.clone_from(&root.stage);
        self.root = root;
        self.nodes.clear();
        self.node = 0;
        self.variations = 0;
        self.has_moves = false;
        self.is_dead = false;
        self.pending = None;
        self.outer.clear();
        self.ignored = 0;
        self.comments.clear();
        self.annotations.clear();
        self.variation_comments.clear();
        self.nags.clear();
        self.empty_variations.clear();
    }

    /// The number of moves in all lines.
    pub(crate) fn moves(&self) -> usize {
        self.nodes.len()
    }

    /// The number of open variations.
    pub(crate) fn depth(&self) -> usize {
        self.outer.len() + self.ignored
    }

    /// Whether moves are left out at this place, because of an earlier problem.
    fn is_dropped(&self) -> bool {
        self.is_dead || self.ignored > 0
    }

    /// Adds a move to the current line. A move that can't be played ends the line.
    #[inline]
    pub(crate) fn play(&mut self, spelled: Option<Spelled>) -> Result<(), Rejected> {
        if self.is_dropped() {
            return Ok(());
        }
        if self.nodes.len() + 1 >= MAX_NODES {
            self.is_dead = true;
            return Err(Rejected::TooLong);
        }
        let resolved = spelled
            .ok_or(Refusal::Illegal)
            .and_then(|spelled| self.stage.resolve(spelled, &self.root.homes));
        let m = resolved.map_err(|refusal| {
            self.is_dead = true;
            Rejected::Move(refusal)
        })?;
        self.stage.play(m);
        self.nodes.push(Node { m, parent: self.node });
        self.node = index(self.nodes.len());
        self.variations = 0;
        self.has_moves = true;
        if let Some(comment) = self.pending.take() {
            self.variation_comments.push((self.node, comment));
        }
        Ok(())
    }

    /// Begins a variation: an alternative to the last move of the current line.
    pub(crate) fn open(&mut self) -> Result<(), Rejected> {
        let too_deep = self.outer.len() >= MAX_DEPTH;
        if self.is_dropped() || !self.has_moves || too_deep {
            self.ignored += 1;
            return if too_deep && self.ignored == 1 {
                Err(Rejected::TooDeep)
            } else {
                Ok(())
            };
        }
        let parent = self.nodes[self.node as usize - 1].parent;
        let stage = self.stage_at(parent);
        let base = Base {
            node: parent,
            stage: stage.clone(),
        };
        self.outer.push(Line {
            stage: std::mem::replace(&mut self.stage, stage),
            node: std::mem::replace(&mut self.node, parent),
            base: std::mem::replace(&mut self.base, base),
            variations: std::mem::take(&mut self.variations),
        });
        self.has_moves = false;
        Ok(())
    }

    /// Ends a variation. Without an open one, this does nothing.
    pub(crate) fn close(&mut self) {
        if self.ignored > 0 {
            self.ignored -= 1;
        } else if let Some(line) = self.outer.pop() {
            self.variations = line.variations;
            if self.has_moves {
                self.variations += 1;
            } else if !self.is_dead {
                self.empty_variations.push(EmptyVariation {
                    node: line.node,
                    rank: self.variations,
                    comment: self.pending.take(),
                });
            }
            self.stage = line.stage;
            self.node = line.node;
            self.base = line.base;
            self.has_moves = true;
            self.is_dead = false;
            self.pending = None;
        }
    }

    /// The position at a node of the current line. It is replayed from the beginning of the line.
    fn stage_at(&self, node: u32) -> Stage {
        let mut path = Vec::new();
        let mut at = node;
        while at != self.base.node {
            let Node { m, parent } = self.nodes[at as usize - 1];
            path.push(m);
            at = parent;
        }
        let mut stage = self.base.stage.clone();
        for m in path.into_iter().rev() {
            stage.play(m);
        }
        stage
    }

    /// Adds a comment to the current position, or to the variation if it has no move yet. A later comment replaces an
    /// earlier one, even if it is empty. As in CQL, white space becomes one blank, and inner braces become underscores.
    pub(crate) fn comment(&mut self, raw: &str) {
        if self.is_dropped() {
            return;
        }
        let mut comment = String::with_capacity(raw.len());
        for word in raw.split_ascii_whitespace() {
            if !comment.is_empty() {
                comment.push(' ');
            }
            comment.extend(word.chars().map(|c| if matches!(c, '{' | '}') { '_' } else { c }));
        }
        if !self.outer.is_empty() && !self.has_moves {
            self.pending = Some(comment);
        } else {
            self.annotations.note(self.node, &comment);
            self.comments.push((self.node, comment));
        }
    }

    /// Adds a glyph to the last move. A glyph before the first move is dropped.
    pub(crate) fn nag(&mut self, nag: u8) {
        if !self.is_dropped() && self.has_moves {
            self.nags.push((self.node, nag));
        }
    }

    /// The game, with these tags and this outcome.
    pub(crate) fn finish(&mut self, tags: Vec<(String, String)>, outcome: Outcome) -> Game {
        let (moves, branches, numbers) = self.preorder();
        let number = |node: u32| {
            if numbers.is_empty() {
                node
            } else {
                numbers[node as usize]
            }
        };
        // The last of several comments on a position is kept.
        let mut comments: Vec<(u32, String)> = Vec::with_capacity(self.comments.len());
        self.comments.iter_mut().for_each(|(node, _)| *node = number(*node));
        self.comments.sort_by_key(|(node, _)| *node);
        for (node, comment) in self.comments.drain(..) {
            match comments.last_mut() {
                Some(last) if last.0 == node => last.1 = comment,
                _ => comments.push((node, comment)),
            }
        }
        let mut variation_comments = std::mem::take(&mut self.variation_comments);
        variation_comments
            .iter_mut()
            .for_each(|(node, _)| *node = number(*node));
        variation_comments.sort_by_key(|(node, _)| *node);
        let mut nags = std::mem::take(&mut self.nags);
        nags.iter_mut().for_each(|(node, _)| *node = number(*node));
        nags.sort_by_key(|(node, _)| *node);
        let mut empty_variations = std::mem::take(&mut self.empty_variations);
        empty_variations
            .iter_mut()
            .for_each(|empty| empty.node = number(empty.node));
        empty_variations.sort_by_key(|empty| empty.node);
        let start = self.root.start.clone();
        let tree = MoveTree { start, moves, branches };
        let mut annotations = std::mem::take(&mut self.annotations);
        annotations.renumber(number);
        annotations.finish(&tree, &tags);
        Game {
            tree,
            annotations,
            text: GameText {
                tags,
                comments,
                variation_comments,
                nags,
                empty_variations,
                outcome,
                encoding: TextEncoding::Utf8,
            },
        }
    }

    /// Numbers the nodes as CQL does: the continuation, then the variations in the order of the PGN. The numbers are
    /// empty when they are the same as in the PGN.
    fn preorder(&self) -> (Vec<PackedMove>, Vec<Branch>, Vec<u32>) {
        let is_line = self.nodes.iter().zip(0..).all(|(node, before)| node.parent == before);
        if is_line {
            return (self.nodes.iter().map(|node| node.m).collect(), Vec::new(), Vec::new());
        }
        // The children of each node, as linked lists in the order of the PGN.
        let mut first = vec![0u32; self.nodes.len() + 1];
        let mut next = vec![0u32; self.nodes.len() + 1];
        for at in (1..=self.nodes.len()).rev() {
            let parent = self.nodes[at - 1].parent as usize;
            next[at] = first[parent];
            first[parent] = index(at);
        }
        let mut numbers = vec![0; self.nodes.len() + 1];
        let mut moves = Vec::with_capacity(self.nodes.len());
        let mut branches = Vec::new();
        // Nodes still to be visited: the first of each list of siblings.
        let mut stack = vec![first[0]];
        while let Some(node) = stack.pop() {
            if node == 0 {
                continue;
            }
            let Node { m, parent } = self.nodes[node as usize - 1];
            moves.push(m);
            let number = index(moves.len());
            numbers[node as usize] = number;
            let parent = numbers[parent as usize];
            if parent + 1 != number {
                branches.push(Branch { node: number, parent });
            }
            stack.push(next[node as usize]);
            stack.push(first[node as usize]);
        }
        (moves, branches, numbers)
    }
}
