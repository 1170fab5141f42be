//! The reserved words of CQL 6.2 (docs/language/syntax.md#reserved-words).

/// Writes the enumeration, the list of all words, and the way back to the text from one table.
macro_rules! keywords {
    ($($variant:ident = $text:literal,)*) => {
        /// A reserved word; it can name no variable, function or dictionary.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Keyword {
            $(#[doc = $text] $variant,)*
        }

        impl Keyword {
            /// All of them, in the order of the alphabet.
            pub const ALL: &[Keyword] = &[$(Keyword::$variant),*];

            /// The word as it is written.
            pub const fn text(self) -> &'static str {
                match self {
                    $(Keyword::$variant => $text,)*
                }
            }
        }
    };
}

#[rustfmt::skip]
keywords! {
    Abs = "abs", All = "all", Ancestor = "ancestor", And = "and", Any = "any", Anydirection = "anydirection",
    Arrow = "arrow", Ascii = "ascii", Assert = "assert", Atomic = "atomic", Attack = "attack",
    Attacked = "attacked", Attackedby = "attackedby", Attacks = "attacks", Between = "between", Black = "black",
    Btm = "btm", By = "by", Capture = "capture", Captures = "captures", Castle = "castle", Check = "check",
    Child = "child", Colortype = "colortype", Comment = "comment", Connectedpawns = "connectedpawns",
    Consecutivemoves = "consecutivemoves", Count = "count", Countmoves = "countmoves", Cql = "cql",
    CqlAbort = "cql_abort", CqlAssertvariations = "cql_assertvariations", CqlHhdbhascook = "cql_hhdbhascook",
    Curpos = "curpos", Currentmove = "currentmove", Currentposition = "currentposition",
    Currenttransform = "currenttransform", Dark = "dark", Date = "date", Depth = "depth", Descendant = "descendant",
    Diagonal = "diagonal", Dictionary = "dictionary", Dihedral = "dihedral", Distance = "distance",
    Doubledpawns = "doubledpawns", Down = "down", Echo = "echo", Eco = "eco", Elo = "elo", Else = "else",
    Enpassant = "enpassant", Enpassantsquare = "enpassantsquare", Equal = "equal", Event = "event",
    Eventdate = "eventdate", Extension = "extension", False = "false", Fen = "fen", File = "file", Find = "find",
    Firstmatch = "firstmatch", Flip = "flip", Flipcolor = "flipcolor", Flipdihedral = "flipdihedral",
    Fliphorizontal = "fliphorizontal", Flipvertical = "flipvertical", Focus = "focus", From = "from",
    Function = "function", Gamenumber = "gamenumber", Hascomment = "hascomment", Hhdb = "hhdb",
    Horizontal = "horizontal", Idealmate = "idealmate", Idealstalemate = "idealstalemate", If = "if", In = "in",
    Indexof = "indexof", Initial = "initial", Initialposition = "initialposition", Input = "input", Int = "int",
    Isbound = "isbound", Isolatedpawns = "isolatedpawns", Isunbound = "isunbound", Keepallbest = "keepallbest",
    Lastgamenumber = "lastgamenumber", Lastposition = "lastposition", Lca = "lca", Left = "left", Legal = "legal",
    Light = "light", Line = "line", Local = "local", Loop = "loop", Lowercase = "lowercase",
    Maindiagonal = "maindiagonal", Mainline = "mainline", Makesquare = "makesquare", Matchcount = "matchcount",
    Matchstring = "matchstring", Mate = "mate", Max = "max", Message = "message", Min = "min",
    Modelmate = "modelmate", Modelstalemate = "modelstalemate", Move = "move", Movenumber = "movenumber",
    Nestban = "nestban", Northeast = "northeast", Northwest = "northwest", Nosort = "nosort", Not = "not",
    Notransform = "notransform", Null = "null", Nullmove = "nullmove", CastleKing = "o-o", CastleQueen = "o-o-o",
    Offdiagonal = "offdiagonal", Oldline = "oldline", Or = "or", Originalcomment = "originalcomment",
    Orthogonal = "orthogonal", Output = "output", Parent = "parent", Passedpawns = "passedpawns", Path = "path",
    Pathcount = "pathcount", Pathcountunfocused = "pathcountunfocused", Pathdebug = "pathdebug",
    Pathlastposition = "pathlastposition", Pathstart = "pathstart", Persistent = "persistent", Pgn = "pgn",
    Piece = "piece", Pieceid = "pieceid", Piecename = "piecename", Piecepath = "piecepath", Pin = "pin",
    Player = "player", Ply = "ply", Position = "position", Positionid = "positionid", Power = "power",
    Previous = "previous", Primary = "primary", Promote = "promote", Pseudolegal = "pseudolegal",
    Puremate = "puremate", Purestalemate = "purestalemate", Quiet = "quiet", Rank = "rank", Ray = "ray",
    Readfile = "readfile", Removecomment = "removecomment", Result = "result", Reversecolor = "reversecolor",
    Right = "right", Rotate45 = "rotate45", Rotate90 = "rotate90", Secondary = "secondary", Settag = "settag",
    Shift = "shift", Shifthorizontal = "shifthorizontal", Shiftvertical = "shiftvertical",
    Sidetomove = "sidetomove", Silent = "silent", Similarposition = "similarposition", Singlecolor = "singlecolor",
    Site = "site", Sort = "sort", Southeast = "southeast", Southwest = "southwest", Sqrt = "sqrt",
    Square = "square", Stalemate = "stalemate", Str = "str", String = "string", Substring = "substring",
    Tag = "tag", Terminal = "terminal", Then = "then", Through = "through", Title = "title", To = "to",
    Transform = "transform", True = "true", Try = "try", Type = "type", Typename = "typename", Unbind = "unbind",
    Up = "up", Uppercase = "uppercase", Variation = "variation", Variations = "variations", Verbose = "verbose",
    Vertical = "vertical", Virtualmainline = "virtualmainline", While = "while", White = "white",
    Writefile = "writefile", Wtm = "wtm", Xray = "xray", Year = "year",
}

impl Keyword {
    /// The reserved word with this spelling.
    pub fn from_text(text: &str) -> Option<Keyword> {
        Keyword::ALL
            .binary_search_by(|word| word.text().cmp(text))
            .ok()
            .map(|index| Keyword::ALL[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_found() {
        assert!(Keyword::ALL.is_sorted_by(|a, b| a.text() < b.text()));
        assert_eq!(Keyword::ALL.len(), 206);
        assert_eq!(Keyword::from_text("o-o-o"), Some(Keyword::CastleQueen));
        assert_eq!(Keyword::from_text("Check"), None);
    }
}
