//! Filters that give a string: header, comments, slices, regular expressions (docs/language/text.md).

use std::borrow::Cow;

use chess::Man;
use language::hir::{Filter, HhdbText, Metadata, Node, Slice};
use language::span::Span;
use shakmaty::{Color, Role};

use crate::error::{Cause, Eval};
use crate::machine::Machine;
use crate::text::{Text, borrowed, first_match};
use crate::value::Value;

impl<'a, 'g> Machine<'a, 'g> {
    /// The string, if the filter has one here.
    pub(crate) fn text(&mut self, filter: &'a Filter) -> Eval<Option<Text<'g>>> {
        match &filter.node {
            Node::String(text) => Ok(Some(borrowed(text))),
            Node::CurrentTransform(name) => Ok(Some(borrowed(if name.is_empty() { "<>" } else { name }))),
            Node::Metadata(metadata) => Ok(self.metadata(metadata)),
            Node::Hhdb(text) => Ok(self.hhdb(*text).map(|text| Cow::Owned(text.into_bytes()))),
            Node::Fen => Ok(Some(Cow::Owned(self.fen().into_bytes()))),
            Node::TypeName(argument) => {
                let name = |man: Man| man.role().map_or('_', Role::upper_char);
                Ok(self.single_man(argument)?.map(name).map(letter))
            }
            Node::PieceName(argument) => Ok(self.single_man(argument)?.map(Man::letter).map(letter)),
            Node::Str(parts) => Ok(Some(Cow::Owned(self.concatenate(parts)?))),
            Node::Case(upper, argument) => Ok(self.text(argument)?.map(|text| {
                Cow::Owned(if *upper {
                    text.to_ascii_uppercase()
                } else {
                    text.to_ascii_lowercase()
                })
            })),
            Node::AsciiChar(argument) => {
                let code = self
                    .number(argument)?
                    .and_then(|code| u8::try_from(code).ok())
                    .filter(|&code| code != 0);
                Ok(code.map(|code| Cow::Owned(vec![code])))
            }
            Node::Concatenation(a, b) => {
                let Some(a) = self.text(a)? else { return Ok(None) };
                let Some(b) = self.text(b)? else { return Ok(None) };
                self.make_text(a.len() + b.len(), filter.span)?;
                Ok(Some(Cow::Owned([a, b].concat())))
            }
            Node::Extremum(largest, arguments) => self.extremum(*largest, arguments),
            Node::Slice(text, slice) => self.attempt(|machine| {
                let Some(text) = machine.text(text)? else {
                    return Ok(None);
                };
                let Some(range) = machine.slice(slice, text.len())? else {
                    return Ok(None);
                };
                Ok(Some(match text {
                    Cow::Borrowed(text) => Cow::Borrowed(&text[range]),
                    Cow::Owned(text) => Cow::Owned(text[range].to_vec()),
                }))
            }),
            Node::RegexMatch(text, regex) => {
                let text = self.text(text)?;
                self.state.groups = text.and_then(|text| first_match(regex, &text, 0));
                Ok(self
                    .state
                    .groups
                    .as_ref()
                    .and_then(|groups| groups.first().cloned().flatten())
                    .map(|(_, text)| Cow::Owned(text)))
            }
            Node::Group(index) => Ok(self.group(*index, filter.span)?.map(|(_, text)| Cow::Owned(text))),
            Node::CompareStrings(comparison, a, b) => self.compare_strings(*comparison, [a, b]),
            Node::ReadFile(name) => {
                let Some(name) = self.text(name)? else { return Ok(None) };
                self.read_file(&name, filter.span).map(|text| Some(Cow::Owned(text)))
            }
            Node::Variable(variable) => match self.variable(*variable, filter.span)? {
                Value::Text(text) => Ok(Some(Cow::Owned(text))),
                _ => unreachable!("the parser checked the variable's kind"),
            },

            // --- control flow
            Node::Compound(list) => self.compound(list),
            Node::If(condition, then, otherwise) => self.conditional(condition, then, otherwise.as_deref()),
            Node::Call { arguments, body } => self.call(arguments, body),
            Node::At(place, inner) => self.at_place(place, inner),
            Node::Imagine { changes, target } => self.imagine(changes, target),
            Node::NoTransform(inner) => self.text(inner),
            Node::Dash(dash) => self.answer_of_dash(dash),
            Node::CurrentMove(dash) => self.answer_of_current_move(dash),
            Node::DictionaryGet(dictionary, key) => self.answer_of_entry(*dictionary, key),
            Node::Sort { id, order, argument } => self.sorted(*id, *order, argument, |text: &Option<Text<'g>>| {
                text.as_ref().map(|text| Value::Text(text.to_vec()))
            }),

            other => unreachable!("not a string filter: {other:?}"),
        }
    }

    fn metadata(&self, metadata: &Metadata) -> Option<Text<'g>> {
        let header = self.info.header;
        Some(match metadata {
            Metadata::Player(Color::White) => borrowed(header.white?),
            Metadata::Player(Color::Black) => borrowed(header.black?),
            // CQL 6.2 joins them with a backslash and an n, not with a newline (docs/language/text.md#header-filters).
            Metadata::BothPlayers => {
                Cow::Owned(format!("{}\\n{}", header.white.unwrap_or(""), header.black.unwrap_or("")).into_bytes())
            }
            Metadata::Event => borrowed(header.event?),
            Metadata::Site => borrowed(header.site?),
            Metadata::Date => borrowed(header.date?),
            Metadata::EventDate => borrowed(header.event_date?),
            Metadata::Eco => borrowed(header.eco?),
            Metadata::Fen => {
                let given = self.tag("FEN")?;
                chess::fen_tag(given).map_or(borrowed(given), |fen| Cow::Owned(fen.into_bytes()))
            }
            Metadata::Tag(name) => borrowed(self.tag(name)?),
            Metadata::Comment => borrowed(self.comment_at(self.node)?),
        })
    }

    /// The value of a tag; the last one counts if a name comes twice.
    fn tag(&self, name: &str) -> Option<&'g str> {
        let text = self.info.text?;
        text.tags
            .iter()
            .rev()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The comment on a position.
    pub(crate) fn comment_at(&self, node: u32) -> Option<&'g str> {
        let comments = &self.info.text?.comments;
        let index = comments.binary_search_by_key(&node, |&(at, _)| at).ok()?;
        Some(comments[index].1.as_str()).filter(|text| !text.is_empty())
    }

    /// Whether the move that led here has a glyph.
    pub(crate) fn has_nag(&self, glyph: u8) -> bool {
        self.info
            .text
            .is_some_and(|text| text.nags.contains(&(self.node, glyph)))
    }

    fn slice(&mut self, slice: &'a Slice, length: usize) -> Eval<Option<std::ops::Range<usize>>> {
        let from_end = |index: i32| {
            if index < 0 {
                i64::from(index) + i64::try_from(length).unwrap_or(i64::MAX)
            } else {
                i64::from(index)
            }
        };
        match slice {
            Slice::Index(index) => {
                let Some(index) = self.number(index)? else {
                    return Ok(None);
                };
                let index = usize::try_from(from_end(index)).ok().filter(|&index| index < length);
                Ok(index.map(|index| index..index + 1))
            }
            Slice::Range(start, end) => {
                let mut bounds = [0, length];
                for (bound, filter) in bounds.iter_mut().zip([start, end]) {
                    if let Some(filter) = filter {
                        let Some(index) = self.number(filter)? else {
                            return Ok(None);
                        };
                        *bound = usize::try_from(from_end(index)).unwrap_or(0).min(length);
                    }
                }
                let [start, end] = bounds;
                Ok(Some(start..end.max(start)))
            }
        }
    }

    /// Replaces a part of a string variable; false if there is no such part.
    pub(crate) fn assign_slice(&mut self, old: &[u8], slice: &'a Slice, text: &[u8]) -> Eval<Option<Vec<u8>>> {
        let range = self.slice(slice, old.len())?;
        Ok(range.map(|range| [&old[..range.start], text, &old[range.end..]].concat()))
    }

    /// A group of the last match, with its offset.
    pub(crate) fn group(&mut self, index: u32, span: Span) -> Eval<Option<(usize, Vec<u8>)>> {
        match self.state.groups.as_ref().and_then(|groups| groups.get(index as usize)) {
            Some(group) => Ok(group.clone()),
            None => Err(self.error(Cause::NoGroup, span)),
        }
    }

    /// The position as `fen` prints it (docs/language/positions.md#boards).
    fn fen(&self) -> String {
        self.rights().fen(self.board())
    }

    fn hhdb(&self, text: HhdbText) -> Option<String> {
        let header = self.info.header;
        let first_comment = self.comment_at(0).unwrap_or("");
        let until_period = |text: &str| text.split('.').next().unwrap_or("").to_owned();
        let (white, black, event) = (
            header.white.unwrap_or(""),
            header.black.unwrap_or(""),
            header.event.unwrap_or(""),
        );
        let gbr = || gbr_code(black);
        match text {
            HhdbText::Composer if black.contains("MC") => Some(until_period(first_comment)),
            HhdbText::Composer => Some(white.strip_suffix(" NN").unwrap_or(white).to_owned()),
            HhdbText::Stipulation => {
                let start = first_comment.find("stipulation: ")? + "stipulation: ".len();
                Some(until_period(&first_comment[start..]))
            }
            HhdbText::FirstComment => Some(first_comment.to_owned()).filter(|text| !text.is_empty()),
            HhdbText::Search if first_comment.is_empty() => Some([event, white, black].join("\n")),
            HhdbText::Search => Some([event, white, black, first_comment].join("\n")),
            HhdbText::Gbr => gbr().map(str::to_owned),
            HhdbText::GbrMaterial => Some(gbr()?[1..8].to_owned()),
            HhdbText::GbrPieces => Some(gbr()?[1..5].to_owned()),
            HhdbText::GbrPawns => Some(gbr()?[6..8].to_owned()),
            HhdbText::GbrKings => Some(gbr()?[8..12].to_owned()),
            HhdbText::Diagram => digits_after(event, "#"),
            HhdbText::EgDiagram => digits_after(first_comment, "EG#"),
        }
    }
}

/// A string of one ASCII letter.
fn letter<'g>(letter: char) -> Text<'g> {
    Cow::Owned(letter.to_string().into_bytes())
}

/// The code of Guy, Blandford and Roycroft in a tag: `+0016.32d4g7`.
fn gbr_code(tag: &str) -> Option<&str> {
    let shape = |code: &[u8]| {
        code.iter().enumerate().all(|(index, byte)| match index {
            0 => matches!(byte, b'+' | b'-' | b'='),
            5 => *byte == b'.',
            8 | 10 => (b'a'..=b'h').contains(byte),
            9 | 11 => (b'1'..=b'8').contains(byte),
            _ => byte.is_ascii_digit(),
        })
    };
    let start = tag.as_bytes().windows(12).position(shape)?;
    tag.get(start..start + 12)
}

fn digits_after(text: &str, mark: &str) -> Option<String> {
    let start = text.find(mark)? + mark.len();
    let digits: String = text[start..].chars().take_while(char::is_ascii_digit).collect();
    Some(digits).filter(|digits| !digits.is_empty())
}
