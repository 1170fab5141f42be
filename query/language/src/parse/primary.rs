//! Primaries: everything that begins with its own token (docs/language/syntax.md#operands).

use super::forms::form_of;
use super::operators::Level;
use super::{Parsed, Parser, TokenKind, leaves};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{Filter, Kind, Node};
use crate::span::Span;
use crate::syntax::{Keyword, Symbol};

impl Parser<'_> {
    /// A filter without operators behind it.
    pub(super) fn primary(&mut self) -> Parsed<Filter> {
        self.burn()?;
        let Some(token) = self.peek() else {
            return Err(self.expected_filter());
        };
        let span = token.span;
        match token.kind.clone() {
            TokenKind::Keyword(keyword) => self.keyword_filter(keyword, span),
            TokenKind::Symbol(symbol) => self.symbol_filter(symbol, span),
            TokenKind::Identifier(name) => self.named(&name, span),
            TokenKind::Number(number) => {
                self.check_literal(0)?;
                self.bump();
                Ok(Filter::new(Node::Number(number), Kind::Numeric, span))
            }
            TokenKind::String(text) => {
                self.bump();
                Ok(Filter::new(Node::String(text.to_string()), Kind::String, span))
            }
            TokenKind::Designator(designator) => {
                self.bump();
                Ok(Filter::new(Node::Designator(designator), Kind::Set, span))
            }
            TokenKind::Group(group) => {
                self.bump();
                Ok(Filter::new(Node::Group(group), Kind::String, span))
            }
            TokenKind::GroupStart(group) => {
                self.bump();
                Ok(Filter::new(Node::GroupStart(group), Kind::Numeric, span))
            }
            TokenKind::PieceDeclaration => self.declared_piece(span),
            TokenKind::Dash(_) => self.dash(None),
            TokenKind::LineComment => self.line_comment(span),
            TokenKind::Outcome(_)
            | TokenKind::Repetition { .. }
            | TokenKind::LineCommentEnd
            | TokenKind::InputFile(_)
            | TokenKind::OutputFile(_) => Err(self.expected_filter()),
        }
    }

    fn symbol_filter(&mut self, symbol: Symbol, span: Span) -> Parsed<Filter> {
        match symbol {
            Symbol::Dot => self.bump(),
            Symbol::EmptySet => self.bump(),
            Symbol::LeftParen => {
                self.bump();
                return self.parenthesized();
            }
            Symbol::LeftBrace => return self.braced(span),
            Symbol::Tilde => return self.complement(span),
            Symbol::Hash => return self.cardinality(span),
            Symbol::Minus => return self.negation(span),
            Symbol::Forall => return self.forall(span),
            _ => return Err(self.expected_filter()),
        }
        let node = if symbol == Symbol::Dot {
            Node::AllSquares
        } else {
            Node::NoSquares
        };
        Ok(Filter::new(node, Kind::Set, span))
    }

    /// `{ filters }`; a single one stands for itself.
    pub(super) fn braced(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let filters = self.filters_until(Symbol::RightBrace)?;
        let span = self.since(span);
        self.compound(filters, span)
    }

    fn complement(&mut self, span: Span) -> Parsed<Filter> {
        self.bump();
        let set = self.expression_of(Level::Attack, Kind::Set, "after `~`")?;
        let span = span.to(set.span);
        Ok(Filter::new(Node::Complement(Box::new(set)), Kind::Set, span))
    }

    fn keyword_filter(&mut self, keyword: Keyword, span: Span) -> Parsed<Filter> {
        use Keyword as K;
        if keyword == K::Pathdebug && self.open_paths == 0 {
            return Err(self.reserved(keyword, span));
        }
        if let Some((node, kind)) = leaves::leaf(keyword, span) {
            self.bump();
            return Ok(Filter::new(node, kind, span));
        }
        if let Some(directions) = super::sets::directions(keyword) {
            return self.direction(directions, span);
        }
        if let Some(transform) = super::sets::transform(keyword) {
            return self.transform(transform, span);
        }
        match keyword {
            K::Not => self.not(span),
            K::If => self.conditional(span),
            K::While => self.while_loop(span),
            K::Loop => self.loop_filter(span),
            K::Assert => self.assert(span),
            K::Equal => self.equal(span),
            K::Notransform => self.no_transform(span),
            K::CqlAssertvariations => self.assert_variations(span),

            K::Ray => self.ray(span),
            K::Xray => self.xray(span),
            K::Pin => self.pin(span),
            K::Between => self.between(span),
            K::Light | K::Dark => self.square_color(keyword == K::Light, span),
            K::Makesquare => self.make_square(span),

            K::Power | K::File | K::Rank | K::Colortype | K::Typename | K::Piecename => self.attribute(keyword, span),
            K::Type => self.piece_type(span),
            K::Pieceid => self.piece_id(span),
            K::Abs | K::Sqrt => self.root_or_absolute(keyword, span),
            K::Max | K::Min => self.extremum(keyword == K::Max, span),
            K::Position => self.position_at(span),
            K::Child => self.child(span),
            K::Lca | K::Distance | K::Ancestor | K::Descendant => self.two_positions(keyword, span),
            K::Elo => self.elo(span),

            K::Player | K::Event | K::Site | K::Date | K::Eventdate | K::Eco | K::Originalcomment | K::Hascomment => {
                self.metadata(keyword, span)
            }
            K::Tag => self.tag(span),
            K::Fen => self.fen(span),
            K::Result => self.result(span),
            K::Int | K::Readfile => self.of_string_sum(keyword, span),
            K::Ascii => self.ascii(span),
            K::Indexof => self.index_of(span),
            K::Uppercase | K::Lowercase => self.letter_case(keyword == K::Uppercase, span),

            K::Str | K::Comment | K::Message => self.output_list(keyword, span),
            K::Sort => self.sort(span),
            K::Settag => self.set_tag(span),
            K::Writefile => self.write_file(span),
            K::Similarposition => self.similar_position(span),
            K::Hhdb => self.hhdb(span),

            K::Square => self.square_loop(span),
            K::Piece => self.piece(span),
            K::Persistent | K::Atomic => self.persistent_or_atomic(keyword, span),
            K::Local | K::Dictionary => self.dictionary_declaration(false, span),
            K::String => self.string_loop(span),
            K::Unbind => self.unbind(span),
            K::Isbound | K::Isunbound => self.is_bound(keyword == K::Isbound, span),
            K::Function => self.function(span),

            K::Move => self.move_filter(span),
            K::Legal | K::Pseudolegal => self.legal_dash(span),
            K::Countmoves => self.count_moves(span),
            K::Currentmove | K::Previous => self.current_move(span),
            K::Find => self.find(span),
            K::Line => self.line(span),
            K::Path => self.path_filter(span),
            K::Echo => self.echo(span),
            K::Consecutivemoves => self.consecutive_moves(span),
            _ => Err(self.reserved(keyword, span)),
        }
    }

    /// The error for a reserved word that is no filter.
    fn reserved(&self, keyword: Keyword, span: Span) -> Box<Diagnostic> {
        use super::hints::reserved_hint;
        let binary = matches!(
            keyword,
            Keyword::And | Keyword::Or | Keyword::In | Keyword::Attacks | Keyword::Attackedby | Keyword::Attack
        );
        if binary {
            return self.expected_filter();
        }
        let message = format!("`{}` is not a filter", keyword.text());
        let mut diagnostic = Diagnostic::new(Code::ReservedWord, span, message);
        diagnostic.help = reserved_hint(keyword).map(str::to_owned);
        Box::new(diagnostic)
    }

    /// Consumes the word and reads the filter behind it.
    pub(super) fn whole_argument(&mut self) -> Parsed<Filter> {
        self.bump();
        self.expression(Level::Or)
    }

    /// `( a b )` with two filters of a kind.
    pub(super) fn pair(&mut self, level: Level, kind: Kind, name: &str) -> Parsed<(Box<Filter>, Box<Filter>)> {
        self.bump();
        self.expect(Symbol::LeftParen)?;
        let place = format!("in the parentheses of `{name}`");
        let first = self.expression_of(level, kind, &place)?;
        let second = self.expression_of(level, kind, &place)?;
        self.close_arguments(name)?;
        Ok((Box::new(first), Box::new(second)))
    }

    /// Consumes the parenthesis that ends a list of arguments.
    pub(super) fn close_arguments(&mut self, name: &str) -> Parsed<()> {
        if self.eat(Symbol::RightParen) {
            return Ok(());
        }
        let message = format!("expected `)` after the arguments of `{name}`, found {}", self.found());
        let mut diagnostic = Diagnostic::new(Code::BadArguments, self.here(), message);
        let hint = self.wildcard_hint().or_else(|| self.comma_hint());
        diagnostic.help = hint.or_else(|| form_of(Keyword::from_text(name)?));
        Err(Box::new(diagnostic.maybe_fix(self.comma_fix())))
    }
}
