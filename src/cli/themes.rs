//! `cqldex themes`: lists themes, shows one, or names those of a game.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cqldex::format::printable;
use cqldex::{
    Column, ColumnKind, Database, Detail, Error, Game, NumberRange, Query, QueryOptions, Rows, Theme, Themes,
};

use super::format::OutputArgs;
use super::query::SearchArgs;
use crate::exit::{Done, Failure};

/// What stands between the places of a theme in a game.
const BETWEEN: &str = ", ";

/// Arguments of `cqldex themes`.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "cqldex themes [OPTIONS]\n       cqldex themes [OPTIONS] NAME\n       cqldex themes [OPTIONS] DATABASE GAME",
    after_help = "\
Examples:
  cqldex themes --tag knight
  cqldex themes boden-mate
  cqldex themes games.db 12
  cqldex query games.db --theme boden-mate
  cqldex batch games.db --theme mates

A theme is a file with a query, which begins with a comment that says in TOML what it is about; see docs/themes.md."
)]
pub(super) struct Args {
    /// A theme to show; or a database, and the number of a game in it whose themes are wanted
    #[arg(value_name = "NAME or DATABASE GAME", num_args = 0..=2)]
    what: Vec<PathBuf>,
    /// Only themes with this tag; of several, with all of them
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// The themes of this folder instead of those of the program: all .cql files below it
    #[arg(long, value_name = "FOLDER")]
    from: Option<PathBuf>,
    /// With NAME: print the query only
    #[arg(long)]
    query: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    search: SearchArgs,
}

/// Lists, shows or finds themes.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let own = args.from.as_deref().map(Themes::read).transpose()?;
    let themes = own.as_ref().unwrap_or(Themes::built_in());
    match args.what.as_slice() {
        [database, game] => {
            let number = game.to_str().and_then(|text| text.parse().ok());
            let number = number.filter(|&number: &i32| number > 0);
            let number = number.ok_or_else(|| {
                Failure::message(format!(
                    "{}: the number of a game is expected behind the database",
                    game.display()
                ))
            })?;
            of_game(args, &chosen(themes, &args.tag)?, (database, number))
        }
        [name] => {
            let theme = themes.get(&name.to_string_lossy())?;
            show(theme, args.query)?;
            Ok(Done::Success)
        }
        _ => list(args, &chosen(themes, &args.tag)?),
    }
}

/// The themes with all of these tags.
fn chosen<'t>(themes: &'t Themes, tags: &[String]) -> Result<Vec<&'t Theme>, Failure> {
    for tag in tags {
        if !themes.iter().any(|theme| theme.tags.contains(tag)) {
            let mut known: Vec<&str> = themes
                .iter()
                .flat_map(|theme| theme.tags.iter().map(String::as_str))
                .collect();
            known.sort_unstable();
            known.dedup();
            let known = known.join(", ");
            return Err(Failure::message(format!(
                "no theme has the tag `{tag}`; there are {known}"
            )));
        }
    }
    let has_all = |theme: &&Theme| tags.iter().all(|tag| theme.tags.contains(tag));
    Ok(themes.iter().filter(has_all).collect())
}

/// Writes a row for each theme; the table for people has fewer columns.
fn list(args: &Args, themes: &[&Theme]) -> Result<Done, Failure> {
    let format = args.output.table_format()?;
    let is_for_people = format == cqldex::Format::Text;
    let names: &[&str] = match is_for_people {
        true => &["group", "theme", "title"],
        false => &["group", "theme", "title", "about", "tags", "source", "link", "query"],
    };
    let columns: Vec<Column> = names.iter().map(|name| Column::new(*name, ColumnKind::Text)).collect();
    let mut rows = Rows::new(&columns);
    for theme in themes {
        let tags = theme.tags.join(";");
        for name in names {
            rows.push(match *name {
                "group" => Some(theme.group.as_str()),
                "theme" => Some(theme.name.as_str()),
                "title" => Some(theme.title.as_str()),
                "about" => Some(theme.about.as_str()),
                "tags" => Some(tags.as_str()),
                "source" => Some(theme.source.as_str()),
                "link" => theme.link.as_deref(),
                _ => Some(theme.query.as_str()),
            });
        }
    }
    write(args, &columns, &rows)?;
    Ok(match themes.is_empty() {
        true => Done::NothingMatched,
        false => Done::Success,
    })
}

fn write(args: &Args, columns: &[Column], rows: &Rows) -> Result<(), Failure> {
    let mut out = args.output.open()?;
    let mut writer = args.output.table_format()?.writer(columns, &mut out)?;
    writer.write(rows)?;
    writer.finish()?;
    drop(writer);
    out.commit()
}

/// Prints what a theme is, and its query.
fn show(theme: &Theme, only_query: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if !only_query {
        writeln!(out, "{}: {}", printable(&theme.name), printable(&theme.title))?;
        writeln!(out, "{}", printable(&theme.about))?;
        writeln!(out)?;
        writeln!(out, "group   {}", printable(&theme.group))?;
        writeln!(out, "tags    {}", printable(&theme.tags.join(BETWEEN)))?;
        writeln!(out, "source  {}", printable(&theme.source))?;
        if let Some(link) = &theme.link {
            writeln!(out, "        {}", printable(link))?;
        }
        writeln!(out)?;
    }
    out.write_all(theme.query.as_bytes())
}

/// Writes which themes a game has, and where.
fn of_game(args: &Args, themes: &[&Theme], (path, number): (&Path, i32)) -> Result<Done, Failure> {
    let database = Database::open(path, args.search.on(super::reading(args.search.threads)))?;
    let Some(game) = database.game(u64::from(number.unsigned_abs()))? else {
        return Err(Failure::message(format!(
            "{}: there is no game {number}",
            path.display()
        )));
    };
    let options = QueryOptions {
        game_numbers: Some(NumberRange {
            min: number,
            max: number,
        }),
        ..QueryOptions::default()
    };
    let queries = themes.iter().map(|theme| Query::parse_with(&theme.query, &options));
    let queries = queries.collect::<Result<Vec<_>, _>>().map_err(Error::from)?;
    let columns = [
        Column::new("group", ColumnKind::Text),
        Column::new("theme", ColumnKind::Text),
        Column::new("title", ColumnKind::Text),
        Column::new("positions", ColumnKind::Text),
        Column::new("moves", ColumnKind::Text),
    ];
    let mut rows = Rows::new(&columns);
    for (theme, matches) in themes
        .iter()
        .zip(database.batch(queries, args.search.options(Detail::Positions)))
    {
        for found in matches {
            let found = found?;
            let positions: Vec<u32> = found.positions.iter().map(|position| position.node).collect();
            let (numbers, moves) = (runs(&positions), moves(&game, &positions));
            for text in [&theme.group, &theme.name, &theme.title, &numbers, &moves] {
                rows.push(text.as_str());
            }
        }
    }
    write(args, &columns, &rows)?;
    Ok(match rows.is_empty() {
        true => Done::NothingMatched,
        false => Done::Success,
    })
}

/// Rising numbers with runs in short: `3, 7-12`.
fn runs(numbers: &[u32]) -> String {
    let join = |run: &[u32]| match run {
        [first, .., last] => format!("{first}-{last}"),
        _ => run.iter().map(u32::to_string).collect(),
    };
    let runs = numbers.chunk_by(|before, after| before + 1 == *after);
    runs.map(join).collect::<Vec<_>>().join(BETWEEN)
}

/// The moves that lead to the first positions of the same runs.
fn moves(game: &Game, positions: &[u32]) -> String {
    let runs = positions.chunk_by(|before, after| before + 1 == *after);
    let first = runs.filter_map(|run| run.first());
    let text = first.filter_map(|&id| Some(game.position(id)?.numbered_san().unwrap_or_else(|| "start".to_owned())));
    text.collect::<Vec<_>>().join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_of_numbers_are_short() {
        assert_eq!(runs(&[3, 7, 8, 9, 12, 13]), "3, 7-9, 12-13");
        assert_eq!(runs(&[]), "");
    }
}
