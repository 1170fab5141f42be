//! The table of all filters: see [`Facts`].

use shakmaty::Color;

use super::Fallibility::{ByContext, Fallible, OfParts};
use super::IndexBound::{AtMost, Exact, Unknown};
use super::{Binds, Facts, IndexBound, Leaves, MoveContext, Reads};
use crate::hir::{AssignOp, Filter, FindCount, Kind, Metadata, Node, Path, VariableId};

/// A filter that raises an error only where a child does.
fn plain<'f>(index: IndexBound) -> Facts<'f> {
    Facts::new(OfParts, index)
}

/// A filter that raises an error or not, depending on where it stands.
fn context<'f>(index: IndexBound) -> Facts<'f> {
    Facts::new(ByContext, index)
}

/// A filter that can raise an error by itself.
fn fallible<'f>(index: IndexBound) -> Facts<'f> {
    Facts::new(Fallible, index)
}

/// Whether a match of a path may leave comments: `quiet` drops those of its start and end alone
/// (docs/language/sequences.md#comments-of-a-path).
fn leaves_comments(path: &Path) -> bool {
    !path.quiet || path.title.is_some() || path.verbose || path.piece_path || path.keep_all_best
}

impl<'f> Facts<'f> {
    /// Those of its variables that it asks for before it gives them values: a value that they have already is an error.
    fn in_doubt(self, variables: &'f [VariableId]) -> Facts<'f> {
        let fallibility = match variables {
            [] => self.fallibility,
            _ => Fallible,
        };
        Facts {
            reads_variables: variables,
            fallibility,
            ..self
        }
    }

    fn vacuous(self) -> Facts<'f> {
        Facts { vacuous: true, ..self }
    }

    fn by_game(self) -> Facts<'f> {
        Facts { by_game: true, ..self }
    }

    fn reads(self, reads: Reads) -> Facts<'f> {
        Facts { reads, ..self }
    }

    fn leaves(self, leaves: Leaves) -> Facts<'f> {
        Facts { leaves, ..self }
    }

    fn range(self, range: Option<&'f crate::hir::Range>) -> Facts<'f> {
        Facts { range, ..self }
    }

    fn moves_elsewhere(self) -> Facts<'f> {
        Facts {
            moves: MoveContext::Elsewhere,
            ..self
        }
    }
}

impl Filter {
    /// What is known of this filter by itself.
    ///
    /// There is no wildcard in this match: a new filter has to be described here.
    pub fn facts(&self) -> Facts<'_> {
        match &self.node {
            // --- sets
            Node::Designator(_) | Node::AllSquares | Node::NoSquares | Node::PawnStructure(_) => plain(Exact),
            Node::Union(_) | Node::Intersection(_) | Node::Complement(_) => plain(Exact),
            Node::Attacks(..) | Node::AttackedBy(..) | Node::Between(..) => plain(Exact),
            Node::Ray { .. } | Node::Xray { .. } | Node::Pin { .. } | Node::SquareColor(..) => plain(Exact),
            Node::Direction { range, .. } => context(Exact).range(range.as_ref()),
            Node::MakeSquare(..) | Node::MakeSquareNamed(_) => plain(Exact),
            Node::PureMate { .. } => plain(AtMost),
            Node::SquareLoop {
                variable,
                domain,
                in_doubt,
                ..
            } => Facts {
                binds: Binds::Loop {
                    variable: *variable,
                    domain,
                },
                ..context(Exact).in_doubt(in_doubt)
            },
            Node::PieceLoop {
                variable,
                domain,
                in_doubt,
                ..
            } => Facts {
                binds: Binds::Loop {
                    variable: *variable,
                    domain,
                },
                ..context(Exact).reads(Reads::IDENTITY).in_doubt(in_doubt)
            },
            Node::SameContents(..) => context(Unknown).vacuous(),

            // --- numbers
            Node::Number(_) => plain(Exact).vacuous().by_game(),
            Node::Length(_) | Node::Abs(_) => plain(Unknown).vacuous().by_game(),
            Node::Sqrt(_) | Node::Extremum(..) | Node::PositionId => plain(Unknown).vacuous(),
            Node::SideToMove | Node::ColorValue(_) | Node::Type(_) => plain(Exact).vacuous(),
            Node::LastGameNumber => fallible(Unknown).vacuous(),
            Node::Distance(..) => context(Unknown).vacuous(),
            Node::Cardinality(_) | Node::Power(_) | Node::AttackPairs(..) | Node::File(_) | Node::Rank(_) => {
                plain(Exact)
            }
            Node::RayCount { .. } => plain(AtMost),
            Node::ColorType(_) => plain(Exact),
            Node::AsciiCode(_) | Node::IndexOf(..) => plain(Unknown),
            Node::Try => plain(Exact),
            Node::PieceId(_) => plain(Unknown).reads(Reads::IDENTITY),
            Node::PieceIdOf(variable) => Facts {
                reads_variables: std::slice::from_ref(variable),
                ..context(Unknown).reads(Reads::IDENTITY)
            },
            Node::MoveNumber | Node::Ply | Node::Depth => plain(Exact),
            Node::GameNumber => plain(Exact).by_game().reads(Reads::GAME_NUMBER),
            Node::Year => plain(Unknown).by_game().reads(Reads::DATE),
            Node::Elo(color) => plain(Unknown).by_game().reads(match color {
                Some(Color::White) => Reads::WHITE_RATING,
                Some(Color::Black) => Reads::BLACK_RATING,
                None => Reads::BEST_RATING,
            }),
            Node::Negate(_) | Node::Arithmetic(..) => plain(Exact).by_game(),
            Node::Int(_) => plain(Unknown).by_game(),
            Node::Ancestor(..) | Node::Descendant(..) => context(Exact),
            Node::ConsecutiveMoves {
                quiet,
                range,
                variables,
            } => Facts {
                reads_variables: variables,
                ..context(Unknown)
                    .reads(Reads::BINDINGS)
                    .leaves(Leaves::COMMENT.when(!quiet))
                    .range(range.as_ref())
            },
            Node::PathCount | Node::PathCountUnfocused | Node::PathStart => context(Unknown).reads(Reads::PATH),
            Node::PathLastPosition => context(Unknown).reads(Reads::PATH | Reads::PATH_END),
            Node::GroupStart(_) | Node::Group(_) => fallible(Unknown).reads(Reads::GROUPS),
            Node::HhdbAward(_) => plain(Unknown).by_game().reads(Reads::EVENT),
            Node::DictionarySize(dictionary) => Facts {
                dictionary: Some(*dictionary),
                ..plain(Unknown).vacuous().reads(Reads::DICTIONARY)
            },

            // --- comparisons
            Node::CompareNumbers(..) => plain(Exact).by_game(),
            Node::CompareStrings(..) => plain(Exact).by_game(),
            Node::Substring(..) => plain(Unknown).by_game(),
            Node::ComparePositions(..) => context(Exact),
            Node::SameSet(..) | Node::Subset(..) => plain(Exact),
            Node::Equal(..) => plain(Unknown),

            // --- strings
            Node::String(_) => plain(Unknown).vacuous().by_game(),
            Node::Metadata(metadata) => match metadata {
                Metadata::Player(Color::White) => plain(Unknown).by_game().reads(Reads::WHITE),
                Metadata::Player(Color::Black) => plain(Unknown).by_game().reads(Reads::BLACK),
                Metadata::BothPlayers => plain(Unknown).vacuous().by_game().reads(Reads::WHITE | Reads::BLACK),
                Metadata::Event => plain(Unknown).by_game().reads(Reads::EVENT),
                Metadata::Site => plain(Unknown).by_game().reads(Reads::SITE),
                Metadata::Date => plain(Unknown).by_game().reads(Reads::DATE),
                Metadata::EventDate => plain(Unknown).by_game().reads(Reads::EVENT_DATE),
                Metadata::Eco => plain(Unknown).by_game().reads(Reads::ECO),
                Metadata::Fen | Metadata::Tag(_) => plain(Unknown).by_game().reads(Reads::TEXT),
                Metadata::Comment => plain(Unknown).reads(Reads::TEXT),
            },
            Node::Fen | Node::CurrentTransform(_) => plain(Unknown).vacuous(),
            Node::TypeName(_) | Node::PieceName(_) => plain(Unknown).vacuous(),
            // Printing a position notes its number there.
            Node::Str(_) => context(Unknown).vacuous().leaves(Leaves::COMMENT),
            Node::Concatenation(..) => plain(Unknown).vacuous().by_game(),
            Node::Case(..) | Node::Slice(..) => plain(Unknown).by_game(),
            Node::AsciiChar(_) => plain(Unknown),
            Node::RegexMatch(..) => plain(Unknown).by_game().leaves(Leaves::GROUPS),
            Node::ReadFile(_) => fallible(Unknown).vacuous().reads(Reads::FILE),
            Node::Hhdb(_) => plain(Unknown).by_game().reads(HHDB),

            // --- positions
            Node::CurrentPosition | Node::Parent | Node::Child(None) => plain(Exact),
            Node::Child(Some(_)) => plain(AtMost),
            Node::PositionAt(_) => plain(Unknown),
            Node::Lca(..) => context(Unknown).vacuous(),
            Node::Find { quiet, count, .. } => {
                let range = match count {
                    FindCount::Range(range) => Some(range),
                    FindCount::First | FindCount::All => None,
                };
                let comments = Leaves::COMMENT.when(!quiet);
                context(Exact).leaves(comments).range(range).moves_elsewhere()
            }
            Node::Line(line) => context(Exact)
                .leaves(Leaves::COMMENT.when(!line.quiet) | Leaves::NESTBAN.when(line.nestban))
                .range(line.range.as_ref())
                .moves_elsewhere(),
            Node::Path(path) => context(Exact)
                .reads(Reads::IDENTITY.when(path.focus.is_some() || path.single_color || path.piece_path))
                .leaves(Leaves::PATH | Leaves::COMMENT.when(leaves_comments(path)) | Leaves::NESTBAN.when(path.nestban))
                .range(path.range.as_ref()),
            Node::At(..) => Facts {
                moves: MoveContext::AfterFirst,
                ..context(Exact)
            },

            // --- conditions
            Node::And(..) | Node::Or(..) | Node::Not(_) => context(Exact).by_game(),
            Node::True | Node::False | Node::Turn(_) | Node::Check | Node::Mate | Node::Stalemate => plain(Exact),
            Node::AssertVariations(_) => plain(Exact),
            Node::Initial | Node::Terminal | Node::Mainline(_) | Node::VirtualMainline | Node::Primary(_) => {
                plain(Exact)
            }
            Node::FenBoard(_) => plain(Exact),
            Node::Result(_) => plain(Unknown).by_game().reads(Reads::OUTCOME),
            Node::Nag(_) => plain(Unknown).reads(Reads::TEXT),
            Node::IsBound(_, variable) => Facts {
                reads_variables: variable.as_slice(),
                ..context(Unknown).reads(Reads::BINDINGS)
            },
            Node::AssertBound(variable) => Facts {
                reads_variables: std::slice::from_ref(variable),
                ..fallible(Unknown).reads(Reads::BINDINGS)
            },
            Node::Unbind(_) => fallible(Unknown).reads(Reads::BINDINGS).leaves(Leaves::VARIABLE),

            // --- moves
            Node::Move(m) => context(Exact).leaves(Leaves::COMMENT.when(m.comment.is_some())),
            Node::Dash(_) | Node::CurrentMove(_) | Node::CountMoves(..) => context(Exact),
            Node::LegalDash(..) => context(AtMost),
            Node::FromSquares | Node::ToSquares | Node::EnPassantSquare => plain(Exact),
            Node::Castle(_) | Node::EnPassant | Node::NullMove => plain(Exact),

            // --- pairs of positions
            Node::Echo {
                quiet,
                source,
                target,
                in_doubt,
                ..
            } => Facts {
                binds: Binds::Pair([*source, *target]),
                ..context(Exact)
                    .leaves(Leaves::COMMENT.when(!quiet))
                    .moves_elsewhere()
                    .in_doubt(in_doubt)
            },
            Node::Relation(relation) => plain(Exact)
                .leaves(Leaves::COMMENT.when(!relation.quiet) | Leaves::SORT_KEY.when(relation.is_sorted()))
                .moves_elsewhere(),
            Node::DiagramRelation(_) => plain(Unknown).moves_elsewhere(),

            // --- structure and control
            Node::Compound(_) | Node::If(..) | Node::NoTransform(_) => context(Exact).by_game(),
            Node::Orbit { range, .. } => Facts {
                by_game: range.is_none(),
                ..context(Exact).range(range.as_ref())
            },
            Node::Transform { range, .. } => fallible(Unknown).range(range.as_ref()),
            Node::While(..) | Node::Abort => fallible(Unknown),
            Node::Loop(_) => fallible(AtMost),
            Node::Assert(_) => fallible(Unknown),
            Node::WhileRegex(..) => fallible(Unknown).leaves(Leaves::GROUPS),
            Node::Call { arguments, .. } => Facts {
                binds: Binds::Arguments(arguments),
                ..context(Exact)
            },
            Node::Variable(variable) => Facts {
                vacuous: self.kind != Kind::Set,
                reads_variables: std::slice::from_ref(variable),
                ..context(Exact)
            },
            Node::Assign(variable, op, _) => Facts {
                // The new value depends on the old one.
                reads_variables: match op {
                    AssignOp::Set | AssignOp::SetIfAny => &[],
                    AssignOp::Arithmetic(_) | AssignOp::Append | AssignOp::Union | AssignOp::Intersection => {
                        std::slice::from_ref(variable)
                    }
                },
                assigns: Some(*variable),
                ..context(Exact).leaves(Leaves::VARIABLE)
            },
            Node::AssignPiece(variable, _) => Facts {
                assigns: Some(*variable),
                ..context(AtMost).reads(Reads::IDENTITY).leaves(Leaves::VARIABLE)
            },
            Node::AssignSlice(variable, ..) => Facts {
                reads_variables: std::slice::from_ref(variable),
                assigns: Some(*variable),
                ..fallible(Unknown).leaves(Leaves::VARIABLE)
            },
            Node::Dictionary(dictionary) | Node::DictionaryLoop(_, dictionary, _) => Facts {
                dictionary: Some(*dictionary),
                ..fallible(Unknown).reads(Reads::DICTIONARY)
            },
            Node::DictionaryGet(dictionary, _) => Facts {
                dictionary: Some(*dictionary),
                ..plain(Unknown).reads(Reads::DICTIONARY)
            },
            Node::DictionarySet(dictionary, ..) => Facts {
                dictionary: Some(*dictionary),
                ..context(Unknown).leaves(Leaves::DICTIONARY)
            },
            Node::DictionaryUnbind(dictionary, _) => Facts {
                dictionary: Some(*dictionary),
                ..plain(Unknown).leaves(Leaves::DICTIONARY)
            },

            // --- output
            Node::Comment(_) => context(Exact).leaves(Leaves::COMMENT),
            Node::RemoveComment => plain(Exact).leaves(Leaves::REMOVED_COMMENT),
            Node::Message { .. } => context(Unknown).leaves(Leaves::MESSAGE),
            Node::Sort { .. } => context(Exact).leaves(Leaves::SORT_KEY),
            Node::SetTag(..) => plain(Exact).leaves(Leaves::TAG),
            Node::WriteFile(..) => fallible(Unknown).leaves(Leaves::FILE),
            // With `nosort` it leaves no key behind; the query's table says so.
            Node::SimilarPosition(_) => fallible(Unknown).leaves(Leaves::SORT_KEY),
            Node::HhdbCooked => plain(Unknown).by_game().reads(Reads::TEXT),

            // --- extensions
            Node::AfterMove { .. } => Facts {
                moves: MoveContext::AfterFirst,
                ..context(AtMost)
            },
            Node::Imagine { .. } => context(Unknown).moves_elsewhere(),
            Node::LegalPosition => plain(Unknown),
            Node::PositionSet(_) => plain(Exact),
            Node::Clock(_) => plain(Exact).reads(Reads::CLOCK),
            Node::MoveTime => plain(Exact).reads(Reads::MOVE_TIME),
            Node::Evaluation(_) => plain(Exact).reads(Reads::EVALUATION),
        }
    }
}

/// The tags and comments of a study.
const HHDB: Reads = Reads::TEXT.union(Reads::WHITE).union(Reads::BLACK).union(Reads::EVENT);
