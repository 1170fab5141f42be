//! The examples of the manuals' pages on transforms, with their slips put right (docs/language/cql1.md#transforms).

/// Position lists of CQL-S, and their copies as CQL 6.2 writes them.
pub(crate) const TRANSFORMED: &[(&str, &str)] = &[
    (
        "[Aa][a-h1-2,f6,h7] :flipdiagonal",
        "{[Aa][a1,b1,c1,d1,e1,f1,g1,h1,a2,b2,c2,d2,e2,f2,g2,h2,f6,h7] or \
         [Aa][a1,b1,a2,b2,a3,b3,a4,b4,a5,b5,a6,b6,f6,a7,b7,a8,b8,g8]}",
    ),
    ("Ra8 :flipoffdiagonal", "Ra8"),
    ("[Bb][a1-8] :flipoffdiagonal", "{[Bb]a1-8 or [Bb]a-h8}"),
    ("Bb2 :flipoffdiagonal", "{Bb2 or Bg7}"),
    ("Uf6 :flipvertical", "{flipvertical [Aa]f6}"),
    ("Uf6 :fliphorizontal", "{fliphorizontal [Aa]f6}"),
    ("Qc2 :flip", "{flip Qc2}"),
    ("Qc2 :flipdihedral", "{flip Qc2}"),
    ("[Rbp][a2,c2] :flipcolor", "{flipcolor [Rpb][a2,c2]}"),
    // The king tells the offset; the queen on the edge smears.
    (
        "Qa4 kd4 :shifthorizontal",
        "{{Qa4 kd4} or {Qa-b4 ke4} or {Qa-c4 kf4} or {Qa-d4 kg4} or {Qa-e4 kh4}}",
    ),
    (
        "Q[a2,c2,h2] kd4 :shifthorizontal",
        "{{Q[a2,b2,d2] ke4} or {Q[a2,b2,c2,e2] kf4} or {Q[a2,b2,c2,d2,f2] kg4} or {Q[a2,b2,c2,d2,e2,g2] kh4} or \
         {Q[a2,c2,h2] kd4} or {Q[b2,g2,h2] kc4} or {Q[a2,f2,g2,h2] kb4} or {Qe-h2 ka4}}",
    ),
    (
        "Q[b3,c4] kd4 :shiftmaindiagonal",
        "{{Qa2 kb2} or {Q[a2,b3] kc3} or {Q[b3,c4] kd4} or {Q[c4,d5] ke5} or {Q[d5,e6] kf6} or {Q[e6,f7] kg7} or \
         {Q[f7,g8] kh8}}",
    ),
    ("Rc3 qg3 :shifthorizontal", "{shifthorizontal {Rc3 qg3}}"),
    ("Rc3 qg3 :shiftvertical", "{shiftvertical {Rc3 qg3}}"),
    ("Rc3 qg3 :shift", "{shift {Rc3 qg3}}"),
    ("Rc3 qg3 :fliphorizontal", "{fliphorizontal {Rc3 qg3}}"),
    ("Rc3 qg3 :flipdiagonal", "{{Rc3 qg3} or {Rc3 qc7}}"),
    ("Rc3 qg3 :flip", "{flip {Rc3 qg3}}"),
    ("Rc2 Bh8 :wtm :fliphorizontal", "{fliphorizontal {Rc2 Bh8 wtm}}"),
    ("Rb2 Bg8 :wtm :flipcolor", "{flipcolor {Rb2 Bg8 wtm}}"),
    (
        "Pc2 Rc1 :shiftvertical",
        "{{Pc2 Rc1} or {Pc3 Rc1-2} or {Pc4 Rc1-3} or {Pc5 Rc1-4} or {Pc6 Rc1-5} or {Pc7 Rc1-6} or {Pc8 Rc1-7}}",
    ),
    ("Nd4 kf3 :shift :flip", "{flip shift {Nd4 kf3}}"),
    ("Nd4 kf3 :shift :flip :flipcolor", "{flipcolor flip shift {Nd4 kf3}}"),
    (":attackcount N k 1 unlimited :flipcolor", "{flipcolor (N attacks k)}"),
];
