//! Variables to which loops over squares and pieces give other values turn by turn, and attributes of the squares and men.

use super::random::Generator;
use super::routes::{Shares, compare_random};
use super::samples::compiled;
use search::{RunOptions, Search};

const DOMAINS: [&str; 8] = [
    "a-h1",
    "A",
    "[RBNrbn]",
    "d-e4-5",
    "(_ attackedby Q)",
    "p",
    "a-h7",
    "[Qq]",
];

const STATEMENTS: [&str; 22] = [
    "Num=#(A attacks X)",
    "Num=#([Aa] attacks X)",
    "Num=file X",
    "Num=rank X",
    "Num=type X",
    "Num=colortype X",
    "if Num>Big Big=Num",
    "if Num>=Big {Big=Num Seen={X}}",
    "if Small>Num Small=Num",
    "if Num<Small Small=Num else Count+=1",
    "if #(a attacks X)>Big Big=#(a attacks X)",
    "Here=#(P & up 0 7 X)",
    "if {Here>0 Last==0} Count+=1",
    "Last=Here",
    "X attacks k",
    "not X attackedby a",
    "if X attackedby a Seen=X",
    "Seen|=X",
    "if check Last=2",
    "if Big<3 Last=Num",
    "type X==type makesquare(9 - file X  9 - rank X)",
    "Num>1",
];

const QUESTIONS: [&str; 13] = [
    "Big>=3",
    "Big==2",
    "Small<2",
    "Small==1",
    "Count>=3",
    "Count==1",
    "Last>1",
    "Num==2",
    "#Seen>=3",
    "Seen attacks k",
    "Big+Count>4",
    "Num<0",
    "Big-Small>=1",
];

/// What a man has to do in the game.
const LATER: [&str; 5] = [
    "file X==file Y",
    "rank X==3",
    "rank X>file Y",
    "type X==4",
    "{file X<=2 check}",
];

fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let question = generator.pick(&QUESTIONS);
    let begin = "Num=0 Here=0 Last=0 Big=0 Small=9 Count=0 Seen=[]";
    let query = if generator.below(6) == 0 {
        let later = generator.pick(&LATER);
        let domain = generator.pick(&["[Nn]", "B", "[Kk]", "[RP]"]);
        format!("piece X in {domain} {{Count=0 square Y in a-h1 {{if find {{{later}}} Count+=1}} Count>=4}}")
    } else {
        let kind = generator.pick(&["square", "square", "piece", "square all"]);
        let domain = generator.pick(&DOMAINS);
        let statements: Vec<&str> = (0..2 + generator.below(4))
            .map(|_| generator.pick(&STATEMENTS))
            .collect();
        let looped = format!("{kind} X in {domain} {{{}}}", statements.join(" "));
        let looped = match generator.below(4) {
            0 => looped,
            1 => format!("if {{{looped}}} then true else true"),
            2 => format!("({looped} or true)"),
            _ => format!("{looped} {looped}"),
        };
        format!("{begin} {looped} {question}")
    };
    match generator.below(4) {
        0 => format!("flipcolor {{{query}}}"),
        1 => format!("not {{{query}}}"),
        _ => query,
    }
}

#[test]
fn values_of_turns_match_by_plan_where_they_match_by_scan() {
    let needed = Shares {
        answered: 0.6,
        selective: 0.2,
    };
    compare_random(25, needed, text);
}

#[test]
fn values_of_turns_are_known() {
    let candidates = |text: &str| Search::new(&compiled(text), RunOptions::default()).candidates().clone();
    for text in [
        "Big=0 square X in . {Num=#([Aa] attacks X) if Num>Big {Big=Num Seen={X}}} Big>=9",
        "Small=9 piece X in A {if #(a attacks X)<Small Small=#(a attacks X)} Small==1",
        "Count=0 Last=0 square X in a-h1 {Here=#(P & up 0 7 X) if {Here>0 Last==0} Count+=1 Last=Here} Count>=4",
        "square all X in [Aa] {Y=makesquare(9 - file X  9 - rank X) type X==type Y colortype X + colortype Y==0}",
    ] {
        let found = candidates(text);
        assert!(found.exact && found.truth != planner::Truth::Always, "{text}");
    }
    // A man of one color has been on all files.
    let found = candidates("initial piece X in [Nn] {C=0 square Y in a-h1 {if find file X==file Y C+=1} C==8}");
    assert!(
        !found.exact && found.truth.to_string().contains("(Na1 or Na2"),
        "{}",
        found.truth
    );
}
