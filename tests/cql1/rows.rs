//! The worked examples of CQL 1 with a game that matches and one that does not (docs/language/cql1.md#translation).

/// A query with its two games and what CQL 6.2 calls it, if it can say it.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// Position lists, or a whole match list.
    pub(crate) query: &'static str,
    /// The filters of CQL 6.2 that mean the same, with a header if they need one.
    pub(crate) modern: &'static str,
    pub(crate) matches: &'static str,
    pub(crate) fails: &'static str,
}

/// A row.
macro_rules! rows {
    ($($name:ident: $query:literal = $modern:literal, $matches:literal, $fails:literal;)*) => {
        pub(crate) const ROWS: &[Row] = &[$(Row {
            name: stringify!($name),
            query: $query,
            modern: $modern,
            matches: $matches,
            fails: $fails,
        }),*];
    };
}

// Games are a FEN, or `std`, and moves behind a semicolon.
rows! {
    XA1: "(match (position \u{2656}a3))" = "Ra3",
        "4k3/8/8/8/8/R7/8/4K3 w - - 0 1", "4k3/8/8/8/R7/8/8/4K3 w - - 0 1";
    XA2: "(position [RQ][a1-8] q[h1-8])" = "[RQ]a1-8 qh1-8",
        "4k3/8/7q/8/Q7/8/8/4K3 w - - 0 1", "4k3/8/6q1/8/Q7/8/8/4K3 w - - 0 1";
    XA3: "(position .d4 id3 U[a1,h1,a8,h8])" = "_d4 [bn]d3 [Aa][a1,h1,a8,h8]",
        "4k2r/8/8/8/8/3n4/8/6K1 w - - 0 1", "4k3/8/8/8/8/3n4/8/6K1 w - - 0 1";
    XA4: "(position Ra3 :not)" = "not Ra3",
        "4k3/8/8/8/R7/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/R7/8/4K3 w - - 0 1";
    XA5: "(position \u{2656}c2 \u{2657}h8 :wtm :shift)" =
        "wtm {{Rc2 Bh8} or {Rb2 Bg-h8} or {Ra2 Bf-h8} or {Rc1 Bh7-8} or {Rb1 Bg-h7-8} or {Ra1 Bf-h7-8}}",
        "6B1/8/3k4/8/8/8/1R6/4K3 w - - 0 1", "8/8/3k2B1/8/8/8/1R6/4K3 w - - 0 1";
    XA5_flip: "(position \u{2656}c2 \u{2657}h8 :wtm :shift :flip)" =
        "wtm flip {{Rc2 Bh8} or {Rb2 Bg-h8} or {Ra2 Bf-h8} or {Rc1 Bh7-8} or {Rb1 Bg-h7-8} or {Ra1 Bf-h7-8}}",
        "1B6/8/3k4/8/8/8/6R1/4K3 w - - 0 1", "8/1B6/3k4/8/8/8/6R1/4K3 w - - 0 1";
    XA6: "(position \u{2656}c3 \u{265b}g3 :shifthorizontal)" = "shifthorizontal {Rc3 qg3}",
        "4k3/8/8/8/8/R3q3/8/6K1 b - - 0 1", "4k3/8/8/8/R3q3/8/8/6K1 b - - 0 1";
    XA7: "(position \u{2656}c3 \u{265b}g3 :shift)" = "shift {Rc3 qg3}",
        "4k3/8/8/8/R3q3/8/8/6K1 b - - 0 1", "4k3/8/8/8/R4q2/8/8/6K1 b - - 0 1";
    XA8: "(position \u{2656}c3 \u{265b}g3 :fliphorizontal)" = "fliphorizontal {Rc3 qg3}",
        "4k3/8/2R3q1/8/8/8/8/K7 b - - 0 1", "4k3/2R3q1/8/8/8/8/8/K7 b - - 0 1";
    XA9: "(position \u{2656}c3 \u{265b}g3 :flipdiagonal)" = "{Rc3 qg3} or {Rc3 qc7}",
        "4k3/2q5/8/8/8/2R5/8/6K1 b - - 0 1", "4k3/6q1/8/8/8/2R5/8/6K1 b - - 0 1";
    XA10: "(position \u{2659}c2 \u{2656}c1 :shiftvertical)" = "R & down Pc1-8",
        "4k3/2P5/8/8/8/8/2R5/6K1 w - - 0 1", "4k3/2R5/8/8/8/8/2P5/6K1 w - - 0 1";
    XA11: "(position \u{2659}c2 \u{2656}c1 :shift)" = "R & down P",
        "4k3/6P1/8/8/8/8/6R1/K7 w - - 0 1", "4k3/6P1/8/8/8/8/5R2/K7 w - - 0 1";
    XA12: "(position \u{2658}d4 \u{265a}f3 :shift :flip)" = "N attacks k",
        "7k/5N2/8/8/8/8/8/K7 b - - 0 1", "7k/4N3/8/8/8/8/8/K7 b - - 0 1";
    XA13: "(position \u{2658}d4 \u{265a}f3 :shift :flip :flipcolor)" = "flipcolor N attacks k",
        "7k/8/8/8/8/1n6/8/K7 w - - 0 1", "7k/8/8/8/8/2n5/8/K7 w - - 0 1";
    XA14: "(position :attackcount A k 2)" = "#(A attacks k)==2",
        "4k3/8/8/8/B7/8/8/4R1K1 b - - 0 1", "4k3/8/8/8/7B/8/8/4R1K1 b - - 0 1";
    XA15: "(position :attackcount [Kk] . 0)" = "not {[Kk] attacks _}",
        "kb6/pp6/8/8/8/8/PP6/KB6 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    XA16: "(position :piececount R 2)" = "R==2",
        "4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "4k3/8/8/8/8/8/R7/R3K2R w - - 0 1";
    XA17: "(position :piececount P[b2-7] 4 :shifthorizontal :flipcolor)" = "flipcolor shifthorizontal {Pb2-7==4}",
        "4k3/8/p7/p7/p7/p7/8/4K3 w - - 0 1", "4k3/8/p7/p7/p7/1p6/8/4K3 w - - 0 1";
    XA18: "(position :power a 6)" = "power a==6",
        "r3k3/p7/8/8/8/8/8/4K3 w - - 0 1", "r3k3/8/8/8/8/8/8/4K3 w - - 0 1";
    XA19: "(position :powerdifference U 4)" = "power A - power a==4",
        "4k3/8/8/8/8/8/P7/4K1N1 w - - 0 1", "4k3/p7/8/8/8/8/P7/4K1N1 w - - 0 1";
    XA20: "(position :ray (k Q))" = "ray(k Q)",
        "4k3/8/8/8/8/8/8/K3Q3 b - - 0 1", "4k3/4n3/8/8/8/8/8/K3Q3 b - - 0 1";
    XA21: "(position :ray (Q n k) 2 4)" = "2<=pin from Q through n to k<=4",
        "Q2nk3/4n3/8/8/8/8/8/K3Q3 b - - 0 1", "4k3/4n3/8/8/8/8/8/K3Q3 b - - 0 1";
    XA22: "(position :rayattack (A a k))" = "xray(A a k)",
        "4k3/4n3/8/8/8/8/8/K3R3 b - - 0 1", "4k3/4n3/8/8/8/8/8/K3B3 b - - 0 1";
    XA23: "(position :sequence ((position Qf3 .g2) (position .f3 Qg2)))" = "line --> {Qf3 _g2} --> {_f3 Qg2}",
        "7k/8/8/8/8/5Q2/8/K7 w; 1.Qg2", "7k/8/8/8/8/5Q2/8/K7 w; 1.Qg3";
    XA24: "(position :gappedsequence ((position :movefrom Ra3) (position :movefrom Rb4)))" =
        "find {move from Ra3 find {move from Rb4}}",
        "7k/8/8/8/8/R7/8/K7 w; 1.Rb3 Kg8 2.Rb4 Kf8 3.Rb5", "7k/8/8/8/8/R7/8/K7 w; 1.Rb3 Kg8 2.Rb5";
    XA25: "(position :movefrom R :moveto ?b?)" = "move from R to b1-8",
        "7k/8/8/8/8/R7/8/K7 w; 1.Rb3", "7k/8/8/8/8/R7/8/K7 w; 1.Rc3";
    XA26: "(position :moveto U)" = "move to [Aa]",
        "7k/8/8/8/8/R2p4/8/K7 w; 1.Rxd3", "7k/8/8/3Pp3/8/8/8/K7 w - e6 0 1; 1.dxe6";
    XA27: "(position :promote [RBN])" = "move promote [RBN]",
        "7k/P7/8/8/8/8/8/K7 w; 1.a8=R+", "7k/P7/8/8/8/8/8/K7 w; 1.a8=Q+";
    XA28: "(position :mate :movenumber 1 20)" = "mate movenumber<=20",
        "std; 1.f3 e5 2.g4 Qh4#", "std; 1.f3 e5 2.g4 Qe7";
    XA29: "(position :moveto [Qq] :matchcount 3 9)" = "cql(matchcount 3 9) move to [Qq]",
        "q6q/6k1/8/8/8/8/Q7/K6Q w; 1.Qaxa8 Qxh1+ 2.Qxh1", "q6q/6k1/8/8/8/8/Q7/K6Q w; 1.Qaxa8 Kf6 2.Kb1";
    XA30: "(position :or ((position :check) (position :stalemate)))" = "check or stalemate",
        "4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "4k3/8/8/8/8/8/8/K2R4 b - - 0 1";
    XA31: "(position :relation (:missingpiececount A 1 100))" =
        "echo(s t){ancestor(s t) sidetomove==s:sidetomove D=~(s&t) #D>=1 D==(_ & s:A)}",
        "4k3/8/8/8/8/r7/P7/4K3 b; 1...Rxa2 2.Kd1 Ra3 3.Ke1", "4k3/8/8/8/8/8/P7/4K3 w; 1.a3 Kd8 2.Kd1 Ke8 3.Ke1 Kd8";
    XA32: "(position :relation (:changesidetomove))" = "echo(s t){ancestor(s t) sidetomove!=s:sidetomove s&t==.}",
        "4k3/8/8/8/8/8/8/R3K3 w; 1.Ra2 Ke7 2.Ra3 Ke8 3.Ra1", "4k3/8/8/8/8/8/8/R3K3 w; 1.Ra2 Ke7 2.Ra1 Ke8";
    XA33: "(match :forany rook [rR] (position $rook[a1]) (position $rook[h1]) (position $rook[h8]) (position $rook[a8]))" =
        "Here=currentposition position 0:{piece x in [Rr] {find {x & a1} find {x & h1} find {x & h8} find {x & a8} Here:(x & [a1,h1,h8,a8])}}",
        "2k5/8/8/3p4/8/8/8/R3K3 w Q - 0 1; 1.Kd2 d4 2.Rh1 d3 3.Rh8+ Kc7 4.Ra8",
        "2k5/8/8/3p4/8/8/8/R3K3 w Q - 0 1; 1.Kd2 d4 2.Rh1 d3 3.Rh8+ Kc7";
    XA34: "(match (position :sumrange passers 3 8) (position Pd2 :piececount p[c-e3-7] 0 :shift :accumulate passers))" =
        "position 0:{find {3 <= P & passedpawns <= 8}} P & passedpawns",
        "4k3/8/8/8/8/8/P3P2P/4K3 w - - 0 1", "4k3/3p4/8/8/8/8/P3P2P/4K3 w - - 0 1";
    XA35: "(position :wtm :check :and ((position \u{2654}e2 \u{265a}g2 :shift :flip) (position \u{2658}e2)))" =
        "wtm check {shift flip {Ke2 kg2}} Ne2",
        "8/8/3k1K2/8/8/5r2/4N3/8 w - - 0 1", "8/8/3k1K2/8/8/5r2/3N4/8 w - - 0 1";
    XA36: "(position :result 1-0 :whiteelo 0 2300 :blackelo 2600 3500)" = "result 1-0 elo white<=2300 elo black>=2600",
        "std; [WhiteElo \"2200\"][BlackElo \"2650\"] 1.e4 1-0", "std; [WhiteElo \"2200\"][BlackElo \"2650\"] 1.e4 0-1";
    XA37: "(match (position Ra1) (position Rh1))" = "position 0:{find Ra1 find Rh1} {Ra1 or Rh1}",
        "7k/8/8/8/8/8/8/R3K3 w; 1.Kd2 Kg8 2.Rh1", "7k/8/8/8/8/8/8/R3K3 w; 1.Kd2";
    XA38: "(position :mate :btm :attackcount k . 8 :attackcount A k 1)" =
        "btm mate #(_ attackedby k)==8 #(A attacks k)==1",
        "4Q3/8/8/4k3/8/8/8/K2R1R2 b - - 0 1", "4Q3/8/4p3/4k3/8/8/8/K2R1R2 b - - 0 1";
    XA39: "(position Ra1 bb2 :shiftmaindiagonal)" =
        "{Ra1 bb2} or {Ra-b1-2 bc3} or {Ra-c1-3 bd4} or {Ra-d1-4 be5} or {Ra-e1-5 bf6} or {Ra-f1-6 bg7} or {Ra-g1-7 bh8}",
        "k7/8/8/8/3b4/8/1R6/6K1 w - - 0 1", "k7/8/8/8/3b4/8/4R3/6K1 w - - 0 1";
    XA40: "(position :moveto Ud4 :pretransformmatchcount >=3 :shift)" =
        "square x in . {position 0:find 3 99 {move to [Aa] & x} move to [Aa] & x}",
        "4k3/8/4p3/3p4/8/4N3/8/3RK3 w; 1.Nxd5 exd5 2.Rxd5", "4k3/8/4p3/3p4/8/4N3/8/3RK3 w; 1.Nxd5 Kf8 2.Nf4";
}
