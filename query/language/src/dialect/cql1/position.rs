//! Lists to position lists: what stands in `(position ...)` (docs/language/cql1.md#keywords-of-position-lists).

use shakmaty::Color;

use super::ast::{List, Next, Placed, Relation, Scope, Side, Term};
use super::cursor::{Cursor, Parsed, error};
use super::designator::Piece;
use super::list::{Item, ItemNode};
use super::range::Range;
use super::reader::{MAX_XOR, Reader, keyword_of, unknown};
use super::{cqls, game, keyword, make, material};
use crate::diagnostic::Code;
use crate::hir::{Designator, Direction, Directions, Filter, Legality, ManSet, MoveValue, Node};
use crate::span::Span;
use crate::transform::Sticky;

/// How many lists `:matchconsecutive` may have: it is written out for each of their orders.
const MAX_ORDERED: usize = 4;

impl Reader {
    /// What stands in `(position ...)`; `outermost` is a list of the match itself.
    pub(super) fn position_list<'t>(&mut self, mut cursor: Cursor<'_, 't>, outermost: bool) -> Parsed<List<'t>> {
        let mut list = List::empty(cursor.whole());
        while let Some(item) = cursor.next() {
            let span = item.span;
            let term = match &item.node {
                ItemNode::Atom(atom) => match keyword_of(atom, keyword::is_position_keyword) {
                    Some((name, negated)) => {
                        self.is_cqls |= negated;
                        let term = self.position_keyword(&mut list, name, span, &mut cursor, outermost)?;
                        match (term, negated) {
                            (Some(node), false) => node,
                            (Some(node), true) => Term::Not(Box::new(Placed {
                                node,
                                span: cursor.covered(span),
                            })),
                            (None, true) => {
                                let message = format!("`:{name}` cannot be negated");
                                return Err(error(Code::MisplacedKeyword, span, &message));
                            }
                            (None, false) => continue,
                        }
                    }
                    None => Term::Piece(self.designator(atom, span)?),
                },
                ItemNode::List(_) => {
                    let message = "a list inside a position list belongs to a keyword: `:and ((position ...))`";
                    return Err(error(Code::BadMatchList, span, message));
                }
                ItemNode::String(_) => {
                    return Err(error(
                        Code::BadMatchList,
                        span,
                        "a string cannot stand alone in a position list",
                    ));
                }
            };
            list.terms.push(Placed {
                node: term,
                span: cursor.covered(span),
            });
        }
        Ok(list)
    }

    /// A designator that is no tag.
    fn plain(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, '_>) -> Parsed<Designator> {
        let piece = self.piece(name, span, cursor)?;
        plain(name, &piece)
    }

    /// A designator, if one stands here.
    fn optional_piece<'t>(
        &mut self,
        name: &str,
        span: Span,
        cursor: &mut Cursor<'_, 't>,
    ) -> Parsed<Option<Placed<Piece<'t>>>> {
        let is_piece = |atom: &&str| {
            keyword_of(atom, keyword::is_position_keyword).is_none()
                && super::range::bound(atom).is_none()
                && !atom.starts_with(['<', '>', '='])
        };
        match cursor.peek().and_then(Item::atom).filter(is_piece) {
            Some(_) => self.piece(name, span, cursor).map(Some),
            None => Ok(None),
        }
    }

    /// What a keyword means with its arguments; `None` if it is about the list itself.
    fn position_keyword<'t>(
        &mut self,
        list: &mut List<'t>,
        name: &'t str,
        span: Span,
        cursor: &mut Cursor<'_, 't>,
        outermost: bool,
    ) -> Parsed<Option<Term<'t>>> {
        if let Some(transform) = Sticky::named(name) {
            list.transforms = list.transforms.union(transform);
            return Ok(None);
        }
        // Only CQL-S searches the start position, so a text with `:initial` is CQL-S.
        self.is_cqls |= keyword::POSITION_S.contains(&name) || name == "initial";
        match name {
            "not" => match cursor.peek().filter(|item| item.head() == Some("position")) {
                Some(item) => {
                    self.is_cqls = true;
                    cursor.next();
                    let inner = self.nested(item)?;
                    let node = Term::And(vec![inner]);
                    return Ok(Some(Term::Not(Box::new(Placed { node, span: item.span }))));
                }
                None => list.negated = true,
            },
            "markall" => {}
            "noannotate" => list.annotated = false,
            "variations" | "variationsonly" | "matchcount" | "pretransformmatchcount" if !outermost => {
                let message = format!("`:{name}` belongs into a position list of the match itself");
                return Err(error(Code::MisplacedKeyword, span, &message));
            }
            "variations" | "variationsonly" => {
                let node = if name == "variations" {
                    Scope::Variations
                } else {
                    Scope::VariationsOnly
                };
                list.scope = Some(Placed { node, span });
            }
            "matchcount" | "pretransformmatchcount" => {
                let node = self.range(name, span, cursor)?;
                let count = Some(Placed {
                    node,
                    span: cursor.covered(span),
                });
                if name == "matchcount" {
                    list.match_count = count;
                } else {
                    list.copy_match_count = count;
                }
            }
            "repetitioncount" | "pretransformrepetitioncount" => {
                let node = self.range(name, span, cursor)?;
                let count = Some(Placed {
                    node,
                    span: cursor.covered(span),
                });
                if name == "repetitioncount" {
                    list.repetition = count;
                } else {
                    list.copy_repetition = count;
                }
            }
            "accumulate" => {
                let (node, _) = cursor.word(name, span)?;
                let span = cursor.covered(span);
                list.counters.push(Placed { node, span });
            }
            _ => return self.condition(name, span, cursor).map(Some),
        }
        Ok(None)
    }

    /// A keyword that is a condition.
    fn condition<'t>(&mut self, name: &'t str, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Term<'t>> {
        let filter = |node: Node| Ok(Term::Filter(make::logical(node, span)));
        match name {
            "wtm" => filter(Node::Turn(Color::White)),
            "btm" => filter(Node::Turn(Color::Black)),
            "check" => filter(Node::Check),
            "nocheck" => Ok(Term::Filter(make::not(make::logical(Node::Check, span), span))),
            "mate" => filter(Node::Mate),
            "stalemate" => filter(Node::Stalemate),
            "initial" => filter(Node::Initial),
            "terminal" => filter(Node::Terminal),
            "insidevariation" => filter(Node::Mainline(false)),
            "attackcount" => {
                let attacker = self.piece(name, span, cursor)?;
                let target = self.piece(name, span, cursor)?;
                Ok(Term::AttackCount(attacker, target, self.range(name, span, cursor)?))
            }
            "doublecheck" => Ok(Term::Filter(double_check(span))),
            "piececount" => Ok(Term::PieceCount(
                self.piece(name, span, cursor)?,
                self.range(name, span, cursor)?,
            )),
            "power" => Ok(Term::Power(
                self.piece(name, span, cursor)?,
                self.range(name, span, cursor)?,
            )),
            "powerdifference" | "piececountdifference" => {
                let piece = self.piece(name, span, cursor)?;
                let less = self.optional_piece(name, span, cursor)?;
                let range = self.range(name, span, cursor)?;
                Ok(match name {
                    "powerdifference" => Term::PowerDifference(piece, less, range),
                    _ => Term::PieceCountDifference(piece, less, range),
                })
            }
            "ray" | "rayattack" | "raydiagonal" | "rayorthogonal" | "rayhorizontal" | "rayvertical" => {
                self.ray(name, span, cursor)
            }
            "movefrom" => Ok(Term::Next(Next::From(self.piece(name, span, cursor)?))),
            "moveto" => Ok(Term::Next(Next::To(self.piece(name, span, cursor)?))),
            "promote" => {
                if cursor.peek().and_then(Item::atom) == Some("[]") {
                    cursor.next();
                    return Ok(Term::Next(Next::Promote(None)));
                }
                Ok(Term::Next(Next::Promote(Some(self.plain(name, span, cursor)?))))
            }
            "enpassant" => Ok(Term::Next(Next::EnPassant(true))),
            "noenpassant" => Ok(Term::Next(Next::EnPassant(false))),
            "iscastling" => Ok(Self::castling(cursor)),
            "castling" => {
                let (word, _) = cursor.word(name, span)?;
                let Some(letters) = cqls::rights(word) else {
                    let message = format!("`{word}` is no right of castling; it is K, Q, k or q, or several: `[KQ]`");
                    return Err(cursor.bad(span, &message));
                };
                let span = cursor.covered(span);
                let rights: Vec<Filter> = letters.iter().map(|&letter| cqls::right(letter, span)).collect();
                // Of several letters exactly one right is left.
                Ok(Term::Filter(game::combined("xor", rights, span)))
            }
            "contactcheck" => {
                // Any other designator says by its place that it is one of the list: only queens, rooks and their like
                // are read as the argument.
                let men = self.optional_piece(name, span, cursor)?;
                let men = men.map(|piece| plain(name, &piece)).transpose()?;
                Ok(Term::Filter(cqls::contact_check(men, cursor.covered(span))))
            }
            "endgame" => Ok(Term::Filter(cqls::endgame(span))),
            "matingmaterial" => Ok(Term::Filter(material::can_mate(span))),
            "whitecannotwin" => Ok(Term::Filter(material::cannot_win(Color::White, span))),
            "blackcannotwin" => Ok(Term::Filter(material::cannot_win(Color::Black, span))),
            "gameisover" => Ok(Term::Filter(material::is_over(span))),
            "goodbishop" => self.good_bishop(span, cursor),
            "threefoldrepetition" => Ok(Term::Occurrence(3)),
            "fivefoldrepetition" => Ok(Term::Occurrence(5)),
            "matchconsecutive" => self.consecutive(span, cursor),
            "halfmoveclock" => {
                let range = self.range(name, span, cursor)?;
                let span = cursor.covered(span);
                Ok(Term::Filter(make::within(cqls::half_move_clock(span), range, span)))
            }
            "isnull" => Ok(Term::Next(Next::Null)),
            "ischeck" | "ismate" | "isstalemate" | "isdoublecheck" | "iscontactcheck" => self.after(name, span, cursor),
            "forced" => Ok(Term::Filter(make::within(legal_moves(span), Range::exactly(1), span))),
            "halfmovenumber" if cqls::is_from_end(cursor) => {
                let range = cqls::from_end(cursor);
                let span = cursor.covered(span);
                Ok(Term::Filter(cqls::before_end(range, span)))
            }
            "movenumber" | "halfmovenumber" => {
                let node = if name == "movenumber" {
                    Node::MoveNumber
                } else {
                    Node::Ply
                };
                let range = self.range(name, span, cursor)?;
                let span = cursor.covered(span);
                Ok(Term::Filter(make::within(make::numeric(node, span), range, span)))
            }
            "result" | "elo" | "whiteelo" | "blackelo" | "whiterating" | "blackrating" => {
                self.game_keyword(name, span, cursor).map(Term::Filter)
            }
            "fen" => self.fen(span, cursor),
            "sequence" | "gappedsequence" => Ok(Term::Sequence {
                gapped: name == "gappedsequence",
                lists: self.lists(name, span, cursor)?,
            }),
            "and" => self.lists(name, span, cursor).map(Term::And),
            "or" => self.lists(name, span, cursor).map(Term::Or),
            "xor" => {
                let lists = self.lists(name, span, cursor)?;
                if lists.len() > MAX_XOR {
                    let message = format!("`:xor` takes no more than {MAX_XOR} lists");
                    return Err(error(Code::BadArgument, span, &message));
                }
                Ok(Term::Xor(lists))
            }
            "cond" => self.lists(name, span, cursor).map(Term::Cond),
            "match" => self.lists(name, span, cursor).map(Term::Somewhere),
            "relation" => self.relation(span, cursor).map(Term::Relation),
            "sumrange" => {
                let (counter, _) = cursor.word(name, span)?;
                Ok(Term::Sum(counter, self.range(name, span, cursor)?))
            }
            "tagmatch" => {
                let (tag, _) = cursor.word(name, span)?;
                Ok(Term::TagMatch(
                    tag.strip_prefix('$').unwrap_or(tag),
                    self.plain(name, span, cursor)?,
                ))
            }
            _ => Err(unknown(name, span, true)),
        }
    }

    /// The position lists in the parentheses behind a keyword.
    fn lists<'t>(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Vec<List<'t>>> {
        let items = cursor.next().and_then(Item::list).unwrap_or_default();
        if items.is_empty() || items.iter().any(|item| item.head() != Some("position")) {
            let message = format!("`:{name}` is followed by position lists in parentheses");
            let mut diagnostic = cursor.expected(&message, span);
            diagnostic.help = Some(format!("write `:{name} ((position ...) (position ...))`"));
            return Err(diagnostic);
        }
        items.iter().map(|item| self.nested(item)).collect()
    }

    /// A position list inside another.
    fn nested<'t>(&mut self, item: &Item<'t>) -> Parsed<List<'t>> {
        let items = item.list().unwrap_or_default();
        self.position_list(Cursor::new(&items[1..], item.span), false)
    }

    /// `:matchconsecutive`: the lists match at consecutive positions, in any order.
    fn consecutive<'t>(&mut self, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Term<'t>> {
        let lists = self.lists("matchconsecutive", span, cursor)?;
        if lists.len() > MAX_ORDERED {
            let message = format!("`:matchconsecutive` takes no more than {MAX_ORDERED} lists");
            return Err(error(Code::BadArgument, span, &message));
        }
        let span = cursor.covered(span);
        let in_order = |order: Vec<usize>| List {
            terms: vec![Placed {
                node: Term::Sequence {
                    gapped: false,
                    lists: order.into_iter().map(|index| lists[index].clone()).collect(),
                },
                span,
            }],
            ..List::empty(span)
        };
        Ok(Term::Or(orders(lists.len()).into_iter().map(in_order).collect()))
    }

    fn ray<'t>(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Term<'t>> {
        let both = |a, b| Some([a, b].into_iter().collect::<Directions>());
        let directions = match name {
            "rayattack" => None,
            "raydiagonal" => Some(Directions::DIAGONAL),
            "rayorthogonal" => Some(Directions::ORTHOGONAL),
            "rayhorizontal" => both(Direction::Left, Direction::Right),
            "rayvertical" => both(Direction::Up, Direction::Down),
            _ => Some(Directions::ALL),
        };
        let items = cursor.next().and_then(Item::list).unwrap_or_default();
        if items.len() < 2 {
            let message = format!("`:{name}` is followed by two or more designators in parentheses: `:{name} (Q n k)`");
            return Err(cursor.expected(&message, span));
        }
        let mut inside = Cursor::new(items, cursor.covered(span));
        let mut pieces = Vec::new();
        while inside.peek().is_some() {
            pieces.push(self.piece(name, span, &mut inside)?);
        }
        let range = self.optional_range(cursor)?.unwrap_or(Range::SOME);
        Ok(Term::Ray {
            directions,
            pieces,
            range,
        })
    }

    /// `:iscastling`, `:iscastling K`: the letter is that of castling rights.
    fn castling<'t>(cursor: &mut Cursor<'_, 't>) -> Term<'t> {
        let letters = cursor.peek().and_then(Item::atom).and_then(cqls::rights);
        if letters.is_some() {
            cursor.next();
        }
        Term::Next(Next::Castles(letters.unwrap_or_default()))
    }

    /// `:ischeck` and its like: what the position after the next move is.
    fn after<'t>(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Term<'t>> {
        if self.optional_range(cursor)?.is_some() {
            return Err(cursor.bad(span, &format!("a number behind `:{name}` is not supported")));
        }
        let filter = match name {
            "ischeck" => make::logical(Node::Check, span),
            "ismate" => make::logical(Node::Mate, span),
            "isstalemate" => make::logical(Node::Stalemate, span),
            "iscontactcheck" => cqls::contact_check(None, span),
            _ => double_check(span),
        };
        Ok(Term::Next(Next::After(filter)))
    }

    /// `:fen "..."`: the board, and the side to move if it is given.
    fn fen<'t>(&mut self, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Term<'t>> {
        let (word, _) = cursor.word("fen", span)?;
        let (placement, rest) = word.split_once(' ').unwrap_or((word, ""));
        let board = crate::parse::fen_board(placement).map_err(|message| cursor.bad(span, &message))?;
        let span = cursor.covered(span);
        let mut parts = vec![make::logical(Node::FenBoard(board), span)];
        match rest.split(' ').next() {
            Some("w") => parts.push(make::turn(Color::White, span)),
            Some("b") => parts.push(make::turn(Color::Black, span)),
            _ => {}
        }
        Ok(Term::Filter(make::all(parts, span)))
    }

    fn relation<'t>(&mut self, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Relation<'t>> {
        let Some(item) = cursor.next().filter(|item| item.list().is_some()) else {
            return Err(cursor.expected(
                "`:relation` is followed by keywords in parentheses: `:relation (:flip)`",
                span,
            ));
        };
        let anything = || {
            let node = Piece::Plain(Designator::anywhere(ManSet::WHITE | ManSet::BLACK));
            (Placed { node, span: item.span }, Range::exactly(0))
        };
        let mut relation = Relation {
            pattern: false,
            shift: false,
            flip: false,
            side: Side::Same,
            scope: Scope::Mainline,
            missing: anything(),
            new: anything(),
            same: None,
            different: None,
        };
        let mut given = Vec::new();
        let mut inside = Cursor::new(item.list().unwrap_or_default(), item.span);
        while let Some(item) = inside.next() {
            let span = item.span;
            let Some((name, false)) = item.atom().and_then(|atom| keyword_of(atom, |_| true)) else {
                return Err(error(Code::BadArgument, span, "a `:relation` list holds keywords only"));
            };
            if given.contains(&name) {
                return Err(error(Code::MisplacedKeyword, span, &format!("`:{name}` stands twice")));
            }
            given.push(name);
            match name {
                "pattern" => relation.pattern = true,
                "shift" => relation.shift = true,
                "flip" => relation.flip = true,
                "samesidetomove" => relation.side = Side::Same,
                "changesidetomove" => relation.side = Side::Changed,
                "ignoresidetomove" => relation.side = Side::Any,
                "variations" => relation.scope = Scope::Variations,
                "variationsonly" => relation.scope = Scope::VariationsOnly,
                "missingpiececount" | "newpiececount" => {
                    let count = if name == "newpiececount" {
                        &mut relation.new
                    } else {
                        &mut relation.missing
                    };
                    let begins_range =
                        |atom: &&str| super::range::bound(atom).is_some() || atom.starts_with(['<', '>']);
                    let next = inside
                        .peek()
                        .and_then(Item::atom)
                        .filter(|atom| !atom.starts_with([':', '!']));
                    if next.is_some_and(|atom| !begins_range(&atom)) {
                        count.0 = self.piece(name, span, &mut inside)?;
                    }
                    if let Some(range) = self.optional_range(&mut inside)? {
                        count.1 = range;
                    }
                }
                "originalsamecount" => relation.same = Some(self.range(name, span, &mut inside)?),
                "originaldifferentcount" => relation.different = Some(self.range(name, span, &mut inside)?),
                _ => {
                    let message = format!("`:relation` knows no keyword `:{name}`");
                    return Err(error(Code::UnknownKeyword, span, &message));
                }
            }
        }
        Ok(relation)
    }
}

/// All orders of some things.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: Vec<usize>| {
            let rest: Vec<usize> = (0..count).filter(|next| !order.contains(next)).collect();
            rest.into_iter().map(move |next| [&order[..], &[next]].concat())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    all
}

/// A designator that has to be no tag.
fn plain(name: &str, piece: &Placed<Piece<'_>>) -> Parsed<Designator> {
    match piece.node {
        Piece::Plain(designator) => Ok(designator),
        Piece::Tagged(..) => {
            let message = format!("`:{name}` takes no tag");
            Err(error(Code::BadDesignator, piece.span, &message))
        }
    }
}

/// How many legal moves there are.
fn legal_moves(span: Span) -> Filter {
    let mut legal = crate::hir::MoveFilter::ANY;
    legal.value = MoveValue::Count;
    legal.legality = Some(Legality::Legal);
    make::numeric(Node::Move(Box::new(legal)), span)
}

/// Two men or more give check.
fn double_check(span: Span) -> Filter {
    let side = |color: Color| {
        let (attackers, king) = match color {
            Color::White => (
                ManSet::BLACK,
                ManSet::from_man(chess::Man::new(color, shakmaty::Role::King)),
            ),
            Color::Black => (
                ManSet::WHITE,
                ManSet::from_man(chess::Man::new(color, shakmaty::Role::King)),
            ),
        };
        let anywhere = |men| Box::new(make::designator(men, shakmaty::Bitboard::FULL, span));
        let checkers = make::set(Node::Attacks(anywhere(attackers), anywhere(king)), span);
        let two = Range {
            min: Some(2),
            max: None,
        };
        make::all(vec![make::turn(color, span), make::within(checkers, two, span)], span)
    };
    make::any(vec![side(Color::White), side(Color::Black)], span)
}
