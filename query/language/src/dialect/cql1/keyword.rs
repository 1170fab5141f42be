//! The keywords of CQL 1 to 3 and CQL-S: which there are, and why some cannot be answered
//! (docs/language/cql1.md#keywords-of-position-lists, docs/language/cql1.md#keywords-of-match-lists).

use crate::transform::Sticky;

/// Position keywords of CQL 1 to 3.
pub(super) const POSITION: &[&str] = &[
    "wtm",
    "btm",
    "check",
    "nocheck",
    "mate",
    "stalemate",
    "initial",
    "variations",
    "variationsonly",
    "attackcount",
    "piececount",
    "power",
    "powerdifference",
    "ray",
    "rayattack",
    "raydiagonal",
    "rayorthogonal",
    "rayhorizontal",
    "rayvertical",
    "movefrom",
    "moveto",
    "promote",
    "enpassant",
    "noenpassant",
    "movenumber",
    "sequence",
    "gappedsequence",
    "and",
    "or",
    "not",
    "result",
    "elo",
    "whiteelo",
    "blackelo",
    "relation",
    "matchcount",
    "pretransformmatchcount",
    "accumulate",
    "sumrange",
    "tagmatch",
    "markall",
    "noannotate",
];

/// Position keywords of CQL-S that are answered.
pub(super) const POSITION_S: &[&str] = &[
    "xor",
    "cond",
    "doublecheck",
    "fen",
    "terminal",
    "insidevariation",
    "halfmovenumber",
    "iscastling",
    "ischeck",
    "ismate",
    "isstalemate",
    "isdoublecheck",
    "isnull",
    "forced",
    "castling",
    "contactcheck",
    "iscontactcheck",
    "endgame",
    "halfmoveclock",
    "match",
    "whiterating",
    "blackrating",
    "threefoldrepetition",
    "fivefoldrepetition",
    "repetitioncount",
    "pretransformrepetitioncount",
    "matingmaterial",
    "whitecannotwin",
    "blackcannotwin",
    "gameisover",
    "goodbishop",
    "matchconsecutive",
    "piececountdifference",
];

/// Match keywords of CQL 1 to 3.
pub(super) const MATCH: &[&str] = &["pgn", "output", "player", "result", "year", "gamenumber", "forany"];

/// Match keywords of CQL-S that are answered.
pub(super) const MATCH_S: &[&str] = &[
    "elo",
    "whiteelo",
    "blackelo",
    "and",
    "or",
    "xor",
    "not",
    "cond",
    "eithercolor",
    "whiteplayer",
    "blackplayer",
    "annotator",
    "event",
    "site",
    "round",
    "rating",
    "whiterating",
    "blackrating",
    "eco",
    "averagerating",
    "date",
    "eventdate",
    "hascomments",
    "plycount",
    "averagerating*",
    "ratingdifference",
    "comment",
    "tag",
    "hasannotation",
    "hasvariations",
];

/// Keywords of CQL-S, or of the vendor extension CQL 3.GX, that cannot be answered, and why.
const UNANSWERED: &[(&str, &[&str])] = &[
    (
        "it steers Scidb's search and says nothing about positions",
        &["cut", "exclude", "skip"],
    ),
    (
        "it belongs to another kind of chess",
        &[
            "checkcount",
            "losing",
            "takeslastpiece",
            "captureforced",
            "variant",
            "ischess960",
            "isshufflechess",
            "startposition",
        ],
    ),
    (
        "it needs an engine or a tablebase",
        &[
            "evaluation",
            "moveevaluation",
            "endgameevaluation",
            "endgameevaluation*",
            "exchangeevaluation",
            "maxswapevaluation",
            "maxswapvalue",
        ],
    ),
    (
        "the database does not keep what it asks for",
        &[
            "title",
            "whitetitle",
            "blacktitle",
            "gender",
            "whitegender",
            "blackgender",
            "country",
            "whitecountry",
            "blackcountry",
            "birthyear",
            "whitebirthyear",
            "blackbirthyear",
            "deathyear",
            "whitedeathyear",
            "blackdeathyear",
            "iscomputer",
            "ishuman",
            "eventcategory",
            "eventcountry",
            "eventmode",
            "eventtype",
            "timemode",
            "termination",
            "hasmarker",
            "hasspecialmarker",
            "goodgame",
            "error",
            "isillegal",
            "isinvalid",
        ],
    ),
    (
        "it is not supported",
        &[
            "accumulate*",
            "annotation",
            "inside",
            "line",
            "line*",
            "opposition",
            "pawncount",
            "pawncountdifference",
            "subround",
        ],
    ),
];

/// Why a keyword that exists is not answered.
pub(super) fn unanswered(keyword: &str) -> Option<&'static str> {
    let (why, _) = UNANSWERED.iter().find(|(_, keywords)| keywords.contains(&keyword))?;
    Some(why)
}

/// Whether a position list can have the keyword.
pub(super) fn is_position_keyword(keyword: &str) -> bool {
    POSITION.contains(&keyword) || POSITION_S.contains(&keyword) || Sticky::named(keyword).is_some()
}

/// Whether a match list can have the keyword.
pub(super) fn is_match_keyword(keyword: &str) -> bool {
    MATCH.contains(&keyword) || MATCH_S.contains(&keyword)
}

/// The keyword that is most similar to a word.
pub(super) fn nearest(word: &str, position: bool) -> Option<&'static str> {
    let lists: [&[&'static str]; 2] = if position {
        [POSITION, POSITION_S]
    } else {
        [MATCH, MATCH_S]
    };
    let transforms = if position { Sticky::KEYWORDS } else { &[] };
    let known = lists
        .into_iter()
        .flatten()
        .copied()
        .chain(transforms.iter().map(|(name, _)| *name));
    let word = word.to_ascii_lowercase();
    let rated = known.map(|known| (strsim::normalized_damerau_levenshtein(&word, known), known));
    let best = rated.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best.0 >= 0.65).then_some(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_is_in_one_list_only() {
        let answered = |keyword: &str| is_position_keyword(keyword) || is_match_keyword(keyword);
        for keyword in UNANSWERED.iter().flat_map(|(_, keywords)| keywords.iter()) {
            assert!(!answered(keyword), "{keyword}");
        }
        assert_eq!(nearest("shifthorizontl", true), Some("shifthorizontal"));
        assert_eq!(nearest("plyer", false), Some("player"));
        assert_eq!(nearest("xyzzy", true), None);
    }
}
