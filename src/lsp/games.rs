//! The database that queries are asked of.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use cqldex::editor::{Completion, CompletionKind, Quoted};
use cqldex::{
    Cancel, Database, Detail, GameMatch, MatchWriter, Options, PgnOptions, PgnWriter, Query, SearchOptions, Sorted,
    Summary,
};

use crate::name_list::{Field, Name, Names};

/// A search of an editor takes at most so long.
const TIME: Duration = Duration::from_secs(60);

/// So many games are written, and so many names are offered.
pub(super) const GAMES: usize = 1000;
const NAMES: usize = 20;

/// A database that is opened when it is first needed, and again when it has changed.
#[derive(Debug)]
pub(super) struct Games {
    path: PathBuf,
    open: Mutex<Option<Arc<Database>>>,
    /// Names that were read; `None` while they are.
    names: Mutex<HashMap<Field, Option<Arc<Names>>>>,
}

impl Games {
    pub(super) fn new(path: PathBuf) -> Games {
        Games {
            path,
            open: Mutex::default(),
            names: Mutex::default(),
        }
    }

    /// What people call it.
    pub(super) fn name(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| self.path.display().to_string())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn get(&self) -> cqldex::Result<Arc<Database>> {
        let mut open = lock(&self.open);
        if let Some(database) = open
            .as_ref()
            .filter(|database| database.is_outdated().is_ok_and(|outdated| !outdated))
        {
            return Ok(Arc::clone(database));
        }
        let options = Options {
            read_only: true,
            ..Options::default()
        };
        let database = Arc::new(Database::open(&self.path, options)?);
        *open = Some(Arc::clone(&database));
        Ok(database)
    }

    /// Counts what matches.
    pub(super) fn count(&self, query: &Query, cancel: Cancel) -> cqldex::Result<Summary> {
        self.get()?.search(query, options(Detail::Count, cancel)).summary()
    }

    /// Writes the first games that match, in the order that the query asks for, and counts all.
    pub(super) fn write(&self, query: &Query, file: &Path, cancel: Cancel) -> cqldex::Result<Summary> {
        let database = self.get()?;
        let matches = database.search(query, options(Detail::Results, cancel));
        let mut out = BufWriter::new(File::create(file)?);
        let pgn = PgnOptions {
            encoding: cqldex::Encoding::Utf8,
            buffer: None,
            ..PgnOptions::of(query)
        };
        let mut first = First {
            writer: PgnWriter::new(&mut out, &database, query, pgn),
            left: GAMES,
        };
        match query.is_sorted() {
            true => Sorted::new(first, query, None).write_matches(matches),
            false => first.write_matches(matches),
        }
    }

    /// Names that begin with a text, or have it inside; none as long as they are being read.
    pub(super) fn offered(self: &Arc<Self>, what: Quoted, typed: &str) -> Vec<Completion> {
        let field = match what {
            Quoted::Player => Field::Player,
            Quoted::Event => Field::Event,
            Quoted::Site => Field::Site,
            Quoted::Eco => Field::Eco,
            Quoted::Set => return self.sets(typed),
            _ => return Vec::new(),
        };
        let Some(names) = self.names(field) else {
            return Vec::new();
        };
        let item = |name: &Name| Completion {
            label: name.name.clone(),
            kind: CompletionKind::Value,
            detail: cqldex::format::count(name.games, "game"),
        };
        names.find(typed, NAMES).into_iter().map(item).collect()
    }

    fn sets(&self, typed: &str) -> Vec<Completion> {
        let sets = self
            .get()
            .and_then(|database| database.sets().list())
            .unwrap_or_default();
        let begin = sets.into_iter().filter(|set| set.name.starts_with(typed));
        let item = |set: cqldex::SetInfo| Completion {
            label: set.name,
            kind: CompletionKind::Set,
            detail: String::new(),
        };
        begin.map(item).collect()
    }

    /// The names of a field. They are read beside the server, once.
    fn names(self: &Arc<Self>, field: Field) -> Option<Arc<Names>> {
        if let Some(known) = lock(&self.names).get(&field) {
            return known.clone();
        }
        lock(&self.names).insert(field, None);
        let games = Arc::clone(self);
        let read = move || {
            let names = games.get().and_then(|database| database.reader().names(field.into()));
            let names = Arc::new(Names::new(names.unwrap_or_default()));
            lock(&games.names).insert(field, Some(names));
        };
        // Without a thread there are no names.
        let _ = thread::Builder::new().name("names".to_owned()).spawn(read);
        None
    }
}

fn options(detail: Detail, cancel: Cancel) -> SearchOptions {
    SearchOptions {
        detail,
        cancel,
        timeout: Some(TIME),
        ..SearchOptions::default()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Passes the first games on.
struct First<W> {
    writer: W,
    left: usize,
}

impl<W: MatchWriter> MatchWriter for First<W> {
    fn game(&mut self, game: GameMatch) -> cqldex::Result<()> {
        match self.left.checked_sub(1) {
            Some(left) => {
                self.left = left;
                self.writer.game(game)
            }
            None => Ok(()),
        }
    }

    fn finish(&mut self, summary: &Summary) -> cqldex::Result<()> {
        self.writer.finish(summary)
    }

    fn flush(&mut self) -> cqldex::Result<()> {
        self.writer.flush()
    }
}
