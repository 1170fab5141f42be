//! `query --by`: counts of games and positions in groups.

use std::io::Write;

use clap::ValueEnum;
use cqldex::{Counts, GroupOrder, Summary, totals};
use cqldex_cluster::{Ask, Error, Result};

use super::output::{Output, OutputArgs, written};

/// How many groups a table shows unless told otherwise, if they are sorted by their numbers.
const TABLE_LIMIT: u64 = 20;

/// By what matches are counted.
#[derive(Debug, clap::Args)]
pub(crate) struct GroupArgs {
    /// Count games and positions by year, player, opening and the like, as in `cqldex query`; of several, separated by commas,
    /// by all at once
    #[arg(long, value_name = "WHAT", value_delimiter = ',', conflicts_with_all = ["count", "json", "pgn", "columns"])]
    by: Vec<String>,
    /// Count by each square of this set, such as 'N' or 'n attacks K'
    #[arg(long, value_name = "SET", conflicts_with_all = ["count", "json", "pgn", "columns"])]
    by_square: Option<String>,
    /// The order of the groups, instead of the one that fits
    #[arg(long, value_enum, value_name = "ORDER")]
    order: Option<Order>,
}

/// Orders of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Order {
    /// By what they are called
    Key,
    /// The most games first
    Games,
    /// The most positions first
    Positions,
    /// The highest score first
    Score,
}

impl From<Order> for GroupOrder {
    fn from(order: Order) -> GroupOrder {
        match order {
            Order::Key => GroupOrder::Key,
            Order::Games => GroupOrder::Games,
            Order::Positions => GroupOrder::Positions,
            Order::Score => GroupOrder::Score,
        }
    }
}

impl GroupArgs {
    /// Whether groups are asked for.
    pub(crate) fn is_asked(&self) -> bool {
        !self.by.is_empty() || self.by_square.is_some()
    }

    /// Asks for them.
    pub(crate) fn tell(&self, ask: &mut Ask) -> Result<()> {
        if self.order.is_some() && !self.is_asked() {
            return Err(Error::Unsupported(
                "--order is that of groups: name what to count --by".to_owned(),
            ));
        }
        ask.by = self.by.iter().map(|name| name.trim().to_owned()).collect();
        ask.by_square.clone_from(&self.by_square);
        ask.groups().map(drop)
    }

    /// Writes what was counted.
    pub(crate) fn write(
        &self,
        mut counts: Counts,
        summary: &Summary,
        (output, format, limit): (&OutputArgs, cqldex::Format, Option<u64>),
        out: &mut Output,
    ) -> Result<()> {
        let order = self.order.map_or_else(|| counts.usual_order(), GroupOrder::from);
        counts.sort(order);
        let is_for_people = format == cqldex::Format::Text;
        let limit = match limit {
            None if is_for_people && !output.is_file() && order != GroupOrder::Key => Some(TABLE_LIMIT),
            limit => limit,
        };
        counts.write(format, &mut *out, limit)?;
        if !is_for_people {
            return Ok(());
        }
        let groups = counts.groups().len() as u64;
        let mut text = if groups > 0 { "\n".to_owned() } else { String::new() };
        if let Some(limit) = limit.filter(|&limit| limit < groups) {
            let (limit, groups) = (cqldex::format::grouped(limit), cqldex::format::grouped(groups));
            text.push_str(&format!(
                "the first {limit} of {groups} groups are listed; --limit N lists N\n"
            ));
        }
        text.push_str(&totals(summary, None));
        out.write_all(text.as_bytes()).map_err(written)
    }
}
