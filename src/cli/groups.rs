//! `cqldex query --by`: counts of games and positions in groups.

use std::io::{self, BufWriter, Write};

use clap::ValueEnum;
use cqldex::{By, CountOptions, Database, Dialect, Found, GroupOrder, Query, SearchOptions, totals};

use super::format::OutputArgs;
use super::text::{QueryText, rendered};
use crate::color;
use crate::exit::Failure;

/// How many groups the table shows unless told otherwise, if they are sorted by their numbers.
const TABLE_LIMIT: u64 = 20;

/// By what matches are counted.
#[derive(Debug, clap::Args)]
pub(super) struct GroupArgs {
    /// Count games and positions by year, decade, result, player, white, black, opening, opening_group, event, site, rating,
    /// white_rating, black_rating, move, side, next (move), square or tag:NAME; of several, separated by commas, by all at
    /// once
    #[arg(long, value_name = "WHAT", value_delimiter = ',', conflicts_with_all = ["count", "json", "pgn", "first", "columns"])]
    by: Vec<String>,
    /// Count by each square of this set, such as 'N' or 'n attacks K'
    #[arg(long, value_name = "SET", conflicts_with_all = ["count", "json", "pgn", "first", "columns"])]
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
    fn is_asked(&self) -> bool {
        !self.by.is_empty() || self.by_square.is_some()
    }

    /// By what is counted.
    ///
    /// # Errors
    ///
    /// When something is not known, or the set is none.
    pub(super) fn by(&self) -> Result<Vec<By>, Failure> {
        if self.order.is_some() && !self.is_asked() {
            return Err(Failure::message("--order is that of groups: name what to count --by"));
        }
        let mut squares = match &self.by_square {
            Some(text) => {
                let set = Query::parse(text, Dialect::Auto).map_err(|error| rendered(&error, "--by-square"))?;
                Some(By::squares(&set)?)
            }
            None => None,
        };
        let mut all = Vec::new();
        for name in &self.by {
            all.push(match name.trim() {
                "square" => squares
                    .take()
                    .ok_or_else(|| Failure::message("name the set whose squares are counted: --by-square 'N'"))?,
                name => By::named(name)?,
            });
        }
        all.extend(squares);
        Ok(all)
    }

    /// Counts what was found, and writes the groups.
    pub(super) fn write(
        &self,
        (found, text): (&Found, &QueryText),
        database: &Database,
        (by, options): (&[By], &CountOptions),
        (output, format, limit): (&OutputArgs, cqldex::Format, Option<u64>),
    ) -> Result<(), Failure> {
        let Some(positions) = &found.positions else {
            return Err(Failure::message("the positions were not collected"));
        };
        let counts = database.counts(positions, by, options);
        let mut counts = counts.map_err(|error| text.failure(error))?;
        tell_left_out(counts.left_out());
        let order = self.order.map_or_else(|| counts.usual_order(), GroupOrder::from);
        counts.sort(order);
        let is_for_people = format == cqldex::Format::Text;
        let limit = match limit {
            None if is_for_people && !output.is_file() && order != GroupOrder::Key => Some(TABLE_LIMIT),
            limit => limit,
        };
        let mut out = output.open()?;
        counts.write(format, &mut out, limit)?;
        if is_for_people {
            let groups = counts.groups().len() as u64;
            if groups > 0 {
                writeln!(out)?;
            }
            if let Some(limit) = limit.filter(|&limit| limit < groups) {
                let (limit, groups) = (cqldex::format::grouped(limit), cqldex::format::grouped(groups));
                writeln!(
                    out,
                    "the first {limit} of {groups} groups are listed; --limit N lists N"
                )?;
            }
            out.write_all(totals(&found.summary, None).as_bytes())?;
        }
        out.commit()
    }
}

/// Warns of games that match and can't be read.
pub(super) fn tell_left_out(games: &[(u64, String)]) {
    let mut err = BufWriter::new(io::stderr().lock());
    for (game, damage) in games {
        let _ = writeln!(
            err,
            "{} game {game} matches, but could not be counted: {damage}",
            color::warning()
        );
    }
}

/// Waits for the end of a search that collects its positions.
pub(super) fn collect(
    database: &Database,
    query: &Query,
    text: &QueryText,
    options: SearchOptions,
) -> Result<Found, Failure> {
    let options = SearchOptions {
        detail: cqldex::Detail::Count,
        collect: true,
        ..options
    };
    let found = database.search(query, options).found();
    found.map_err(|error| text.failure(error))
}
