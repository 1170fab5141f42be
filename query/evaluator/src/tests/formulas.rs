//! Formulas and guards give what the filters give as they stand: matches, comments, sort keys and errors.

use chess::{GameText, MoveTree};

use super::{SCHOLAR, reader};
use crate::{Evaluator, GameHeader, GameInfo, GameView, Limits};

/// Castling on both sides, captures en passant, promotions, and a variation.
const LONG: &str = "1. e4 c5 2. e5 d5 3. exd6 e5 4. Nf3 Nc6 5. Bc4 Bxd6 6. O-O Nf6 (6... Bg4 7. h3 Bh5 8. g4 Bg6) 7. c3 \
                    Bf5 8. d4 Qe7 9. dxe5 O-O-O 10. exd6 Qe5 11. Nxe5 Rxd6 12. Nxf7 Rxd1 13. Rxd1 Rf8 14. Nh8 Rxh8 15. f4 \
                    g5 16. fxg5 Ne5 17. gxf6 Nxc4 18. f7 Bxb1 19. f8=Q+ Rxf8 20. Rxb1 Nd2 21. Rxd2 b5 22. a4 b4 23. a5 bxc3 \
                    24. a6 cxd2 25. Bxd2 c4 26. Bf4 c3 27. Be5 c2 28. Bb8 cxb1=N 29. Bxa7 Nc3 30. bxc3 Rf1+ 31. Kxf1 Kd7 \
                    32. Bb8 Kc6 33. a7 Kb7 34. a8=R Kxa8";

/// All that a query leaves in a game, or its error.
fn all(tree: &MoveTree, query: &str, results: bool, plain: bool) -> String {
    let text = format!("cql(variations)\n{query}\n");
    let query = language::compile(&text, language::Dialect::Cql6, &language::ParseOptions::default());
    let query = query.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let limits = Limits {
        variations: true,
        results,
        ..Limits::default()
    };
    let mut evaluator = match plain {
        true => Evaluator::plain(&query, limits),
        false => Evaluator::new(&query, limits),
    };
    let mut view = GameView::default();
    let (header, words) = (GameHeader::default(), GameText::default());
    let info = GameInfo {
        header: &header,
        text: Some(&words),
        sets: &(),
        quantities: None,
    };
    let mut found = String::new();
    // What is remembered of one game must not be taken for the next.
    for number in 1..=2 {
        view.load(tree, true);
        view.number = number;
        let mut matches = Vec::new();
        let nodes = view.nodes();
        let result = evaluator.search(&mut view, info, nodes, &mut matches);
        let mut left = evaluator.take_result();
        if !results {
            // Keys that are not asked for need not be kept.
            left.sorts.clear();
        }
        found.push_str(&format!("{result:?} {matches:?} {left:?}\n"));
    }
    found.push_str(&format!("{:?} {:?}", evaluator.take_messages(), evaluator.persistent()));
    found
}

/// Asserts that queries give the same with formulas and guards as without.
fn same(queries: &[&str]) {
    // Without the variation, paths are followed in another way.
    let (before, rest) = LONG.split_once('(').expect("it has a variation");
    let (_, behind) = rest.split_once(')').expect("the variation ends");
    let main_line = format!("{before}{behind}");
    for movetext in [SCHOLAR, LONG, &main_line] {
        let tree = reader::read(None, movetext);
        for query in queries {
            for results in [false, true] {
                let (ours, plain) = (all(&tree, query, results, false), all(&tree, query, results, true));
                assert_eq!(ours, plain, "{query}");
            }
        }
    }
}

#[test]
fn sets_and_numbers() {
    same(&[
        "Q attacks k",
        "#(A attacks [pq]) >= 2",
        "R[a-h1] & up 1 7 P | ~[Aa] & diagonal 2 b",
        "pin",
        "pin from b through N to R > 0",
        "A -> _ -> k",
        "ray orthogonal (R p)",
        "power A - power a > 2",
        "max (#A #a rank k) == 8",
        "x = abs (file K - file k) / (rank k - 8) message (x)",
        "connectedpawns attacks passedpawns",
        "light B & isolatedpawns",
        "makesquare (file K 9 - rank K) == Kg8",
        "typename (K & g1) == typename (k & g8)",
        "sort (#legal --) > 30",
        "countmoves pseudolegal A--[kr] == 0",
        "mate or stalemate or check",
    ]);
}

#[test]
fn moves() {
    same(&[
        "A--e4",
        "[Aa][x].",
        "P--=Q",
        "--(castle)",
        "--(enpassant)",
        "K--g1(from)",
        "x = A--(from) message (x)",
        "x = [Kk]--(to) message (x)",
        "move from P to [e4,e6,f8] promote Q",
        "move castle from K",
        "move capture .",
        "move enpassant",
        "x = move to . message (x)",
        "move secondary",
        "move previous from R",
        "currentmove A--[e4,d5,f6]",
        "currentmove --(o-o)",
        "currentmove [a][x]A",
        "currentmove [Pp]--=A(check)",
        "find {currentmove --(o-o) btm}",
        "find all {currentmove --(o-o-o)}",
        "x = currentmove [Kk]--(to) message (x)",
        "x = currentmove --(check from) message (x)",
        "x = A--(not check to) message (x)",
        "x = find 2 100 {--(o-o-o) or --(o-o)} message (x)",
        "--(castle check)",
        "A--(wtm check)",
        "[x](A attacks k)",
        "P--(to attacks k)",
        "find 3 100 {currentmove [Nn]--c-f3-6}",
        "piece X in [Nn] find 2 100 {currentmove X--a-h3-6}",
        "piece X in [Rr] find {currentmove X--(castle)}",
        "square S in d-f4-6 find all {currentmove --S(check)}",
        "currentmove [x](enpassant)",
        "currentmove --(currentmove A-- parent:wtm)",
        "x = 0 find all {if currentmove [Pp]-- x+=1} message (x)",
        "x = [] find all {currentmove A-- x|=to} message (x)",
    ]);
}

#[test]
fn transforms() {
    same(&[
        "shift {Pe4 pd5}",
        "shift (R[a1-4,h1] attacks p)",
        "shift #n[f6,c6] == 2",
        "shift count {N b} > 3",
        "2 <= shift count (P[c-f2-4] attacks a)",
        "flip {(#A > #a) (flipcolor {Kg1 -> _ -> r})}",
        "x = flipcolor #(A attacks k) message (x)",
        "shift {(#a < #P) (shift {Nf3 P})}",
        "shift (abs (#k - #b[d3-8,a-b2,f4])) >= 2",
        "rotate45 up 1 2 K & P",
        "x = shift (P[b2-4,f7] | n[f6]) message (x)",
        "shift {K[e1,g1] not shift Qd1}",
        "shift (anydirection 1 2 ([rkp][a2-8,g1] attacks b))",
        "x = shift (right 1 ([rkp][a2-8,g1] attackedby B)) message (x)",
        "shift (R[a1-4,h1] attacks (light p))",
        "flipcolor flip (ray diagonal (B k))",
        "shift #qb-h6-8 < 0",
    ]);
}

#[test]
fn loops() {
    same(&[
        "square x in [Aa] square y in [Aa] #([Aa] & between (x y)) == 3",
        "square all x in K (x attackedby [Aa] or x attacks .)",
        "square all x in . { y = x #y == 1 }",
        "3 <= #(piece x in A x attacks .)",
        "piece x in [Aa] x--",
        "piece all x in P file x < 5",
        "square x in k { comment(x) x attackedby A }",
        "square x in . square x in . true",
        "x = 1 square y in A file y == x",
        "flip square x in a-h4 #(P & vertical x) >= 2",
        "s = currentposition piece x in N find { not x == s:x rank x > 4 }",
        "s = currentposition piece x in [NB] piece y in [nb] find { x == s:y and y == s:x }",
        "s = currentposition piece x in r find <-- x == s:r",
        "if #Q > 8 then y = 1 square x in . {#x == y}",
        "if #Q > 0 then y = 1 square x in K y == 1",
    ]);
}

/// Conditions about the square `x` that a formula asks of all squares at once, and some that it asks in turns.
const ABOUT_A_SQUARE: [&str; 24] = [
    "A attacks x",
    "not a attacks x",
    "x attacks a",
    "x attackedby [Aa]",
    "[Pp] attackedby x",
    "x & a-h4-8",
    "up 1 x & _",
    "diagonal 1 2 x & [Nn]",
    "right -2 3 x & P",
    "R attacks (right 1 x)",
    "up 1 x attackedby q",
    "(x | K) attacks (a | x)",
    "(x & P) attacks [nbrq]",
    "down 1 (x attacks a) & d-e1-8",
    "A attacks (x & a)",
    "ray (R _ x)",
    "ray up (P x)",
    "ray (x k)",
    "xray (Q x)",
    "Q -> a -> x",
    "x -> . -> k",
    "x attacks k or (wtm and x & P)",
    "if x & A then x attacks a else not a attacks x",
    "#(A attacks x) > 1",
];

#[test]
fn loops_without_turns() {
    for condition in ABOUT_A_SQUARE {
        let queries = [
            format!("square x in [_Aa] {{{condition}}}"),
            format!("piece x in . {{{condition}}}"),
            format!("square all x in [Kk] {{{condition}}}"),
            format!("piece all x in K attacks . {{{condition}}}"),
            format!("y = #(square x in . {{{condition} not x & K}}) message (y)"),
            format!("y = piece x in [KkRr] {{{condition}}} message (y)"),
            format!("y = k square x in (anydirection 1 y) & ~y {{ {condition} y |= x }} message (y)"),
            format!("y = 0 square x in [Aa] {{ if ({condition}) then y += 1 }} message (y)"),
            format!("y = 0 z = K piece x in [Aa] {{ {condition} y += 1 if x & P then z |= x }} message (y z)"),
            format!("y = K square x in . {{ {condition} y |= x y attacks x }} message (y)"),
            format!("y = K z = Q square x in . {{ {condition} y |= x if y attacks x then z |= x }} message (y z)"),
            format!("y = K square x in . {{ not y attacks x {condition} y |= x }} message (y)"),
            format!("y = 0 square x in . {{ y += 1 {condition} }} message (y)"),
            format!("square x in K square z in x attacks . {{ z attackedby a or {condition} }}"),
            format!("x = K square x in . {{{condition}}}"),
            format!(
                "y = k z = 0 while (z < 4) {{ z += 1 square x in anydirection 1 y {{{condition} y |= x}} }} message (y)"
            ),
        ];
        let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
        same(&queries);
    }
}

#[test]
fn other_positions() {
    same(&[
        "parent:check",
        "child:(#a < 16)",
        "position 3:A == [e2-4]",
        "x = parent:child:positionid message (x)",
        "s = currentposition parent:(currentposition [<] s)",
        "find {s = currentposition s:mate}",
        "echo (x y) { x < y  square all sq in a1-8 piecename sq == x:piecename makesquare (file sq 9 - rank sq) }",
    ]);
}

#[test]
fn assignments() {
    same(&[
        "x = #A y = #a x < y message (x \":\" y)",
        "x = file k + 9 / (rank K - 1) message (x)",
        "piece x = K attacks . x attackedby a",
        "s =? A attacks k message (s)",
        "s = [] s |= A attacks k s |= a attacks K #s > 1 message (s)",
        "s = . s &= A s &= light . #s > 6",
        "if check x = 1 else x = 2 x += #A x -= 3 x *= 2 x /= (rank K - 1) x %= 7 x == 3 message (x)",
        "not {x = 1 check} if isbound x x == 1 message (\"bound\")",
        "if isunbound x then x = 0 x += 1 x % 3 == 0 message (x)",
        "{x = 1 check} or {x += 1 x == 2 A--} message (x)",
        "x = 0 square s in A { x += 1 s attacks a } x > 9 message (x)",
        "x = 0 flip { x += 1 } message (x)",
        "x = 0 flip { x += #A } message (x)",
        "x = 0 flipcolor { x += 1 x > 1 } message (x)",
        "x = 0 2 <= flip count { x += 1 x > 1 } message (x)",
        "x = 0 y = flip { x += 1 A attacks k } message (x y)",
        "if check x = 1 x + 0 > 0 ply < 9",
        "if ply > 9 x = A {x attacks k wtm} or check x attacks a",
        "if ply > 9 x = A {wtm x attacks k} or {x = a #x > 2} x attacks a",
        "if ply > 9 {x = A} else {x = a unbind x} #(x & R) < 3",
        "x = 1 square s in A { x == 1 unbind x }",
        "x = 1 if check unbind x if isbound x { x += 1 } else { x = 7 } x > 1 message (x)",
        "x = 0 loop { if x == 2 unbind x x += 1 }",
        "x = 0 square s in A { x += 1 } message (x)",
        "x = 0 square s in A { #(s attacks .) > 3 x += 1 } x > 1 message (x)",
        "x = 0 square all s in A { s attacks . x += #s } message (x)",
        "ps = position positionid + 4 x = piece y in [Aa] { ps:y y != ps:y } message (x)",
        "ps = position positionid + 9 x = piece y in [Aa] { not ps:y == y wtm } message (x)",
        "ps = position positionid - 5 x = 0 piece y in [Aa] { y != ps:y x += 1 ps:y } message (x)",
        "ps = position positionid + 4 x = 0 piece y in [Aa] { x += 1 y != ps:y } message (x)",
        "ps = position positionid + 4 piece all y in [Rr] { y != ps:y }",
        "x = 0 square s in A { s attacks . x < 5 x += 1 not s attacks a } message (x)",
        "x = 0 square all s in A { x += 1 s & a-h1-3 } message (x)",
        "x = 0 piece pc in A { x += rank pc  nn = x x > 20 } message (x nn)",
        "square s in a { x = #s y = x + 1 y == 2 } message (x y)",
        "x = 0 while (x * x < #A) x += 1 x == 4 message (x)",
        "x = 0 y = 1 loop { y += x x += 1 x < 6 } y == 16 #Q > 0",
        "x = 0 loop { x += 1 x < 0 } message (x)",
        "x = 1 unbind x if not isbound x { x = 3 } x == 3 if check { unbind x } isbound x",
        "function ff(va vb) { cc = va + vb  dd = cc * cc  dd / 2 } ff(#A #a) == ff(#a #A) ff(1 2) == 4 x = ff(#P 1) x > 30 message (x)",
        "function ff(va vb) { cc = va & vb  cc attacks k } ff(A light .) message (cc)",
        "function ff(va vb) { if #va > 14 { vb += 1 } else { va &= light . vb -= 1 } vb > 0 } nn = 0 s = A ff(s nn) message (s nn)",
        "x = 0 y = find { x += 1 check } message (x y)",
        "x = 0 y = find <-- { x += 1 check } message (x y)",
        "x = 0 y = find all { x += power A power A > power a } message (x y)",
        "x = 0 y = find 2 9 { x += 1 x % 3 == 0 } message (x y)",
        "x = 0 y = find <-- count { x += 1 x % 3 == 0 } message (x y)",
        "x = 0 y = find 1 x { z = 1 check } message (x)",
        "initial s = 0 find all { s += sqrt (100 * (file move from . - file move to .)) } s > 50 message (s)",
        "s = 0 find all { s += 3 * rank move from . to a-h1-5 - rank move to . } message (s)",
        "s = 0 find all { s += file move to [Pp] + 9 / (rank move from . - 4) } message (s)",
        "s = 0 find all { #move from a-h2-7 to a-h5-8 > 0 s += #a * file move to . % 3 } message (s)",
        "v = a-h3-6 s = 0 find all { s += sqrt (7 * rank move from . to v) } message (s)",
        "ps = currentposition x = 0 parent:{ x = #A ps:{ x += #a } } message (x)",
        "x = 1 parent:(y = #A) message (y)",
        "cc = [] v = [] wtm K--g1 { cc = from v = to } message (cc v)",
        "--(cc = from dd = to #cc == 1 #dd == 1 dd & a-h5-8) message (cc dd)",
        "path K-- cc = from dd = to #cc + #dd > 2 -- ee = from message (cc dd ee)",
        "x = 3 y = (x == 3) message (y)",
        "if ply > 30 x = 1 y = x + #A x = 2 #A > 9",
        "if ply > 7 x = 1 if ply > 5 and check y = x unbind x",
        "square s in A { s = a attacks s }",
        "square s in K { t = s } t == s",
        "ps = parent qs = child ps:(nn = positionid) qs:(m = positionid) m - nn == 2 message (nn m)",
        "s =? [] true",
        "s = h8 t = s | a1 u = t & h8 #u == 1 v = 0 if u == h8 v = 1 v == 1 message (s t u v)",
        "persistent nn += 1 nn % 5 == 0",
        "flipcolor { x = #A  y = #a  x < y } message (x y)",
        "shift { x = #P[a-b2-4] x > 1 } message (x)",
        "atomic x = 0 path -- { x += 1 } -- { x += 2 not check } message (x)",
        "x = 0 (if check then {x = 2 #a} else #A) > 14 message (x)",
        "x = (#{ s = A s attacks a } > 3) message (x)",
        "echo (u w) { u < w  x = u:#a  y = w:#a  x == y  square all sq in K sq == u:K }",
        "line --> {x = #a x < 16} --> {y = #a y < x} message (x y)",
        "x = 0 y = 0 {x = 2 y = #A parent:{x = 3 y = 9 / (#A - 16)} x == 3} or {x > 1} message (x y)",
    ]);
}

/// A formula is given up then, and the filter as it stands raises the error.
#[test]
fn loops_without_an_end() {
    let tree = reader::read(None, SCHOLAR);
    let query = "x = 0 y = 0 wtm while (x >= 0) { x = 1 y += 1 }";
    let ours = all(&tree, query, false, false);
    assert!(ours.contains("EndlessLoop"), "{ours}");
}

#[test]
fn paths() {
    same(&[
        "path -- --",
        "path A-- a[x]A --",
        "{path x = #A -- y = #A y < x} message (x y)",
        "path --(castle) --",
        "path K-- -- not check",
        "{path K--g1 { x = from y = to }} message (x y)",
        "{path --g1 { x = from }} message (x)",
        "{path focus K -- { x = to } --} message (x)",
        "{path focus R --f1 --} message (pathcount)",
        "{path focus R R--(x = from) R--(y = to)} message (x y)",
        "{path focus [Kk] { -- -- -- } x = ply} message (x)",
        "path focus capture B -- -- wtm",
        "{path singlecolor -- -- {x = pathcount} check} message (x)",
        "x = {path max {ply + pathcount} -- -- --} message (x)",
        "path max {if check then 3 else #A} -- --",
        "3 <= path -- -- --",
        "path 4 9 -- -- --",
        "x = {path lastposition -- --} message (x)",
        "x = {path lastposition -- --} x:check",
        "piece x in A { y = . attackedby x path x-- -- z = . attackedby x #(z & ~y) > 4 } message (x y z)",
        "square x in a-h5-8 path --x --x",
        "path --=Q check",
        "path P--=Q",
        "path --(enpassant)",
        "path --(from) --(pathstart:check)",
        "{path -- {pathstart:(#A > #a)} -- {y = pathcount}} message (y)",
        "x = {path -- {y = path -- --} pathcount > 1} message (x y)",
        "find { x = 1 path A-- --e5 } message (x)",
        "{path (-- x = to --) --} message (x)",
        "path check --",
        "path check",
        "path nestban -- --",
        "path firstmatch -- -- wtm",
        "path verbose title \"t\" -- -- wtm",
        "{path -- {if check x = 1} --} message (\"m\")",
        "pathcount < 3 path -- --",
        "{path -- --} pathcount + 1 == 3",
        "{path -- --} pathstart:(#A + #a > 30) message (pathcount)",
        "{path -- -- --} or true {path --} pathcount * 2 == 2",
        "child:{path -- --} pathstart:(positionid + 0 > 3)",
        "ply > 3 pathcount + 1 > 2 or {path -- wtm --}",
    ]);
}

#[test]
fn searches_for_moves() {
    same(&[
        "square v in . { x = find 2 100 v-- message (v \" \" x) }",
        "square v in a-h4 { x = find count --v message (v \" \" x) }",
        "square v in a-h4 { x = find <-- 2 10 --v message (v \" \" x) }",
        "piece x in [Aa] find x--=[QNR]",
        "s = currentposition piece x in [NBRnbr] find x--s:x",
        "s = currentposition piece x in [Aa] find <-- x--s:x",
        "s = currentposition piece x in [Aa] find { x--s:x  wtm }",
        "v = d4 x = find all { --v check } message (x)",
        "v = d4 x = find all { check --v } message (x)",
        "piece x in [Rrk] { y = find all x-- message (x y) }",
        "find { piece x = A--(from) --e5 }",
        "v = f7 find { piece x = --(from)  path focus x --v }",
        "v = e5 find { --v  v = from  check }",
        "v = e5 w = d5 find { --v  w = to  #w == 1  wtm }",
        "v = e5 find { piece x = --(from)  x--v  path focus x -- --v }",
        "dictionary d  not d[fen] d[fen] = \"seen\"",
    ]);
}

#[test]
fn searches_for_ends() {
    same(&[
        "x = find all { terminal } message (x)",
        "x = find 2 9 { terminal #Q > 0 } message (x)",
        "x = find <-- count { terminal } message (x)",
        "find { terminal x = ply y = #A x > y message (x) }",
        "find { x = ply terminal x > 9 } message (x)",
        "find { sort \"ply\" ply terminal }",
        "find { comment (ply) terminal #A > 3 }",
        "piece x in R find { terminal x & a-h7 }",
        "x = 0 find all { x += 1 terminal } message (x)",
        "find { terminal x = 1 } message (x)",
        "find all { find { terminal mate } check }",
    ]);
}

#[test]
fn searches_for_pieces() {
    same(&[
        "piece x in [Aa] find x & a-h8",
        "piece x in [Rr] { y = find count x & [a1,d1,f8] message (x y) }",
        "piece x in [Rr] { y = find <-- all R[a-h1] & x message (x y) }",
        "piece x in N { s = x find s == x }",
        "s = currentposition piece x in N { y = find all x == s:x message (x y) }",
        "s = currentposition piece x in N { y = find all s:x == child:x message (x y) }",
        "piece x in r find { x & a-h1-4 check }",
        "piece x in r find { comment (x) x & a-h1-4 }",
        "piece x in r find { y = x x & a-h1-4 }",
        "v = d4 piece x in [Aa] { y = find count x & v message (x y) }",
        "v = d4 piece x in [Aa] { y = find count {x & v v = e5} message (x y) }",
        "v = a1 & h8 piece x in [Aa] { y = find count v == x message (x y) }",
        "if #Q > 8 then piece x = Kg1 find x & a-h8",
        "if #Q > 8 then v = g1 piece x in K find x & v",
        "piece x in p find x == a-h1",
        "square v in . x = find 2 100 v-- message (v \" \" x)",
        "square v in . x = find all --v message (v \" \" x)",
        "v = a-h1-8 x = find all --v message (x)",
        "v = d4 | e5 x = find all v-- message (x)",
        "piece v in [KRkr] { x = find all v-- message (v \" \" x) }",
        "piece v in [KRkr] { x = find all --v message (v \" \" x) }",
        "x = find all --[g1,f1,c1,d1,c8,d8] message (x)",
        "x = find all [e1,h1,e8,a8]-- message (x)",
        "x = find all K-- message (x)",
        "x = find all --_ message (x)",
    ]);
}

#[test]
fn echoes() {
    same(&[
        "piece x in N piece y in n echo (s t) { s [<] t x == s:y y == s:x }",
        "piece x in [Aa] echo (s t) { s [<=] t x == s:x #x == 1 rank x > 4 }",
        "piece x in [Aa] echo (s t) { t [>] s x & s:(right 1 x) }",
        "piece x in [Aa] echo (s t) { t [>=] s x & s:(right 1 x) comment(\"here \" x) }",
        "piece x in [Aa] echo (s t) { t [<] s x & s:(right 1 x) }",
        "y = 3 echo (s t) { s < t rank K == y y = rank k }",
        "y = 3 echo (s t) { s < t rank K - s:rank k < 5 - y y = rank k y > 2 }",
        "echo (s t) in all { s <= t #(A attacks k) > #(s:(A attacks k)) typename K == s:typename k }",
        "z = q echo (s t) { t > s z & s:z A attacks z }",
        "sort (echo (s t) { s [<] t [Aa] attacks (k & s:k) distance (s t) })",
        "echo (s t) { s [<] t t:check s:(not check) }",
        "echo (s t) { K==s:K k==s:k s<t }",
        "echo (s t) in all { s:(A attacks k)==(a attacks K) not s==t }",
    ]);
}

#[test]
fn pieces_in_focus() {
    same(&[
        "piece x in [Aa] path focus x -- --",
        "piece x in [Aa] path focus x  --  ~x--*  check",
        "piece x in [Aa] piece y in k path focus x|y (--_ --)+",
        "piece x in P path  x-- --*  x--  --* x[x]. --* x--=[QN]",
        "path singlecolor -- -- A[x].",
        "path focus capture [Nn] -- -- --",
        "path focus [Rr] nestban (--+ check)",
        "piece x in [Aa] path focus x  --_(#(x attacks [Aa]) > 1)",
        "piece x in [KRkr] path focus x  --(#from == 1)  --",
        "piece x in [Aa] path focus x  (--_ --*)+",
        "piece x in [Aa] path focus x  (--_)*",
        "piece x in [Aa] path focus x  check --",
        "piece x in A piece x in a path focus x --",
        "piece x in [QRBrqb] square c in _ & [a-h1-8] attackedby x  path focus x  --(x -> c -> from)  --",
        "square c in .  path --c(c attacks k)  --",
        "square c in .  path .[x]c(not check)  --",
        "piece x in [Aa] { comment (x) y = x  path focus x|y  -- }",
    ]);
}

#[test]
fn paths_and_lines() {
    same(&[
        "piece x in [Aa] { path focus x  x--  x--  x-- }",
        "piece x in A piece y in a path focus x|y  x--  y[x]. ",
        "piece x in [Pp] path x--  --*  x--=[QNR]",
        "piece x in A { y = x comment (y) path focus x  --~y  y = x  -- }",
        "piece x in A { sort (path focus x piecepath nestban (--_ --)+) > 1 }",
        "path primary  A--  a--  A[x].",
        "piece x in R flip path focus x  a1--h1 --h8",
        "t = \"Q\" path P--=t",
        "if #Q > 8 then u = \"Q\" path P--=u",
        "piece x in P path x--(check) x--",
        "path focus capture q|r  --  .[x]r",
        "t = piece x in K x path focus t -- --",
        "piece King = K line --> move from King --> move --> move from King",
        "piece King = K flip line --> move from King to up King --> . * --> check",
        "line --> move previous --> check",
        "x = {path max pathcountunfocused focus N -- --} message (x)",
    ]);
}

#[test]
fn sums_over_the_positions_of_a_game() {
    same(&[
        "s = 0 find all s += #A message (s)",
        "function Far(x y) { tall = rank x - rank y wide = file x - file y sqrt (100 * (tall * tall + wide * wide)) }
         s = 0 y = find all s += Far(move from . move to .) message (s y)",
        "s = 7 y = find all { check s += power A - power a } message (s y)",
        "s = 7 y = find all { m = [QRBNqrbn] m attacks k v = #m + ply v > 4 s += v } message (s y m v)",
        "s = 0 y = find all { v = #Q - 1 v / 0 > 1 s += 1 } message (s y)",
        // What is read is not what it was before.
        "s = 0 v = 3 y = find all { s += v v = ply } message (s y v)",
        "s = 0 v = 3 y = find all { #P > v v = ply s += v } message (s y v)",
        "s = 0 y = find all { s > ply s += 2 } message (s y)",
        "s = 1 y = find all s += s message (s y)",
        "s = 2147483600 y = find all { wtm s += ply } message (s y)",
        // It is assigned twice, or added to twice, or something comes behind it.
        "s = 0 y = find all { v = 1 v = ply s += v check } message (s y v)",
        "s = 0 y = find all { s += 1 s += ply } message (s y)",
        "s = 0 t = 0 y = find all { s += { t += 1 5 } } message (s t y)",
        "s = 0 t = 0 y = find all { v = { t += 1 ply } v > 5 } message (s t y)",
        "s = 0 t = 0 y = find all { v = { t += 1 file Qe5 } } message (s t y)",
        "s = 0 y = find all { s += ply check } message (s y)",
        "s = 0 y = find all <-- { s += ply } message (s y)",
        "s = 0 y = find all { x = [Qq] x attacks [Kk] s += #x } message (s y x)",
        "square v in [Rr] { s = 0 y = find all { s += #(v & [Rr]) } message (v s y) }",
        "piece v in [Rr] { s = 0 y = find all { w = v w attacks a s += rank w } message (v s y w) }",
        "s = 0 y = find all { s += #(to & [Aa]) + #from } message (s y)",
        "s = 0 y = find all { if check then v = 1 else v = 2 s += v } message (s y v)",
    ]);
}
