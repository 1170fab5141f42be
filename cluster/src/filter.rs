//! Conditions of SQL on columns of the header, as filters of CQL, so that shards leave out games that can't match.

use datafusion::common::ScalarValue;
use datafusion::logical_expr::{BinaryExpr, Expr, Operator};

/// The columns of names, and the filters that have them.
const NAMES: [(&str, &str); 5] = [
    ("white", "player white"),
    ("black", "player black"),
    ("event", "event"),
    ("site", "site"),
    ("eco", "eco"),
];

/// The columns of numbers.
const NUMBERS: [(&str, &str); 3] = [
    ("white_rating", "elo white"),
    ("black_rating", "elo black"),
    ("year", "year"),
];

/// The values of the column `result`.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// CQL has no greater ratings and years.
const GREATEST: i64 = 4000;

/// A filter of CQL that holds in all games where a condition holds. It may hold in more, so that the engine asks the
/// condition again.
pub(crate) fn cql_of(condition: &Expr) -> Option<String> {
    match condition {
        Expr::BinaryExpr(BinaryExpr { left, op, right }) => match op {
            Operator::And => match (cql_of(left), cql_of(right)) {
                (Some(left), Some(right)) => Some(format!("({left} and {right})")),
                (left, right) => left.or(right),
            },
            Operator::Or => Some(format!("({} or {})", cql_of(left)?, cql_of(right)?)),
            _ => compared(left, *op, right).or_else(|| compared(right, op.swap()?, left)),
        },
        Expr::Between(between) if !between.negated => {
            let low = compared(&between.expr, Operator::GtEq, &between.low)?;
            let high = compared(&between.expr, Operator::LtEq, &between.high)?;
            Some(format!("({low} and {high})"))
        }
        Expr::InList(list) if !list.negated && !list.list.is_empty() => {
            let any = list.list.iter().map(|value| compared(&list.expr, Operator::Eq, value));
            Some(format!("({})", any.collect::<Option<Vec<_>>>()?.join(" or ")))
        }
        _ => None,
    }
}

/// The filter for a column that is compared with a value.
fn compared(column: &Expr, operator: Operator, value: &Expr) -> Option<String> {
    let column = match column {
        // The engine compares choices as texts.
        Expr::Cast(cast) => &cast.expr,
        column => column,
    };
    let (Expr::Column(column), Expr::Literal(value, _)) = (column, value) else {
        return None;
    };
    let of = |known: &[(&str, &'static str)]| {
        let found = known.iter().find(|(name, _)| *name == column.name);
        found.map(|(_, filter)| *filter)
    };
    if let Some(filter) = of(&NUMBERS) {
        let number = integer(value).filter(|number| (0..=GREATEST).contains(number))?;
        let sign = match operator {
            Operator::Eq => "==",
            Operator::Lt => "<",
            Operator::LtEq => "<=",
            Operator::Gt => ">",
            Operator::GtEq => ">=",
            _ => return None,
        };
        return Some(format!("{filter} {sign} {number}"));
    }
    let text = value.try_as_str().flatten().filter(|_| operator == Operator::Eq)?;
    if column.name == "result" {
        return RESULTS.contains(&text).then(|| format!("result {text}"));
    }
    // Nothing in such a text means anything else in CQL.
    let is_plain = text
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || " ,.-'".contains(letter));
    of(&NAMES)
        .filter(|_| is_plain && !text.is_empty())
        .map(|filter| format!("{filter} == \"{text}\""))
}

fn integer(value: &ScalarValue) -> Option<i64> {
    match value {
        ScalarValue::Int64(number) => *number,
        ScalarValue::Int32(number) => number.map(i64::from),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use cqldex::{Query, QueryOptions};
    use datafusion::prelude::{col, lit};

    #[test]
    fn conditions_on_headers_are_filters() {
        let year = col("year").gt_eq(lit(1990_i64));
        let eco = lit("B00").eq(col("eco"));
        let other = col("ply").eq(lit(7_i64));
        let cases = [
            (year.clone(), Some("year >= 1990")),
            (eco.clone(), Some("eco == \"B00\"")),
            (col("result").eq(lit("1/2-1/2")), Some("result 1/2-1/2")),
            (lit(2500_i64).lt(col("white_rating")), Some("elo white > 2500")),
            (year.clone().and(other.clone()), Some("year >= 1990")),
            (year.clone().or(other.clone()), None),
            (year.clone().or(eco), Some("(year >= 1990 or eco == \"B00\")")),
            (
                col("year").between(lit(1_i64), lit(5_i64)),
                Some("(year >= 1 and year <= 5)"),
            ),
            (
                col("eco").in_list(vec![lit("A00"), lit("C60")], false),
                Some("(eco == \"A00\" or eco == \"C60\")"),
            ),
            (col("white").eq(lit("a\" or mate")), None),
            (year.is_null(), None),
            (other, None),
        ];
        for (condition, filter) in cases {
            let found = cql_of(&condition);
            assert_eq!(found.as_deref(), filter, "{condition}");
            let options = QueryOptions {
                game_filters: found.into_iter().collect(),
                ..QueryOptions::default()
            };
            Query::parse_with("mate", &options).unwrap();
        }
    }
}
