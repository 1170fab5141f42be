//! The databases that are served: found by name, opened when they are first asked for, and opened again when they have
//! grown.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cqldex::{Database, Options};
use serde_json::{Value, json};

use super::config::Config;
use super::problem::Problem;
use crate::name_list::{Field, Names};

/// How often it is looked whether a database has grown.
const LOOK: Duration = Duration::from_millis(300);

/// How many databases are open at a time.
const OPEN: usize = 4;

/// How deep below the root databases are looked for, and how many are listed.
const DEPTH: usize = 4;
const LISTED: usize = 500;

/// A database as it was when it was opened.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    pub(crate) database: Database,
    /// How often it was opened before, because it had changed.
    pub(crate) version: u64,
    /// The names that were asked for.
    names: Mutex<HashMap<Field, Arc<Names>>>,
}

impl Open {
    /// The names of a field. The columns are read when they are first asked for.
    pub(crate) fn names(&self, field: Field) -> Result<Arc<Names>, Problem> {
        // Who asks at the same time waits, and does not do it again.
        let mut known = self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = known.get(&field) {
            return Ok(Arc::clone(names));
        }
        let names = Arc::new(Names::new(self.database.reader().names(field.into())?));
        known.insert(field, Arc::clone(&names));
        Ok(names)
    }
}

#[derive(Debug)]
struct Entry {
    open: Arc<Open>,
    looked: Instant,
    used: Instant,
}

/// All databases of a server.
#[derive(Debug)]
pub(crate) struct Databases {
    /// The one that is meant where none is named.
    default: Option<(String, PathBuf)>,
    root: Option<PathBuf>,
    options: Options,
    open: Mutex<HashMap<String, Entry>>,
}

impl Databases {
    pub(crate) fn new(config: &Config) -> Databases {
        let default = config.database.as_ref().map(|path| (name_of(path), path.clone()));
        let options = Options {
            read_only: true,
            ..Options::default()
        };
        Databases {
            default,
            // Paths are compared with it.
            root: config
                .root
                .as_ref()
                .map(|root| root.canonicalize().unwrap_or_else(|_| root.clone())),
            options: Options {
                threads: config.threads.unwrap_or(options.threads),
                ..options
            },
            open: Mutex::default(),
        }
    }

    /// The name that is meant by a request.
    fn named<'n>(&'n self, name: Option<&'n str>) -> Result<&'n str, Problem> {
        match (name.filter(|name| !name.is_empty()), &self.default) {
            (Some(name), _) => Ok(name),
            (None, Some((name, _))) => Ok(name),
            (None, None) => Err(Problem::not_found("no-such-database", "no database is named")),
        }
    }

    /// The folder of a database, which may not be there yet.
    pub(crate) fn path(&self, name: &str) -> Result<PathBuf, Problem> {
        let missing = || missing(name);
        if let Some((default, path)) = &self.default
            && default == name
        {
            return Ok(path.clone());
        }
        let root = self.root.as_ref().ok_or_else(missing)?;
        let is_plain = |part: Component<'_>| match part {
            Component::Normal(part) => part
                .to_str()
                .is_some_and(|part| !part.starts_with('.') && !part.contains('\0')),
            _ => false,
        };
        let relative = Path::new(name);
        if name.len() > 1000 || relative.components().next().is_none() || !relative.components().all(is_plain) {
            return Err(missing());
        }
        let path = root.join(relative);
        // Links must not lead out of the root.
        let mut existing = path.as_path();
        while !existing.exists() {
            existing = existing.parent().ok_or_else(missing)?;
        }
        match existing.canonicalize() {
            Ok(real) if real.starts_with(root) => Ok(path),
            _ => Err(missing()),
        }
    }

    /// The database with this name, as it is now.
    ///
    /// This reads files.
    pub(crate) fn get(&self, name: Option<&str>) -> Result<Arc<Open>, Problem> {
        let name = self.named(name)?;
        let now = Instant::now();
        let known = {
            let mut open = self.lock();
            open.get_mut(name).map(|entry| {
                entry.used = now;
                let look = now - entry.looked >= LOOK;
                if look {
                    entry.looked = now;
                }
                (Arc::clone(&entry.open), look)
            })
        };
        let version = match known {
            Some((open, false)) => return Ok(open),
            Some((open, true)) => match open.database.is_outdated() {
                Ok(false) => return Ok(open),
                _ => open.version + 1,
            },
            None => 1,
        };
        let path = self.path(name)?;
        let database = Database::open(&path, self.options);
        let database = database.map_err(|error| {
            self.lock().remove(name);
            match error {
                cqldex::Error::NotADatabase(_) => missing(name),
                error => error.into(),
            }
        })?;
        let open = Arc::new(Open {
            name: name.to_owned(),
            path,
            database,
            version,
            names: Mutex::default(),
        });
        let mut all = self.lock();
        if !all.contains_key(name) && all.len() >= OPEN {
            let oldest = all.iter().min_by_key(|(_, entry)| entry.used);
            if let Some(oldest) = oldest.map(|(name, _)| name.clone()) {
                all.remove(&oldest);
            }
        }
        let entry = Entry {
            open: Arc::clone(&open),
            looked: now,
            used: now,
        };
        all.insert(name.to_owned(), entry);
        Ok(open)
    }

    /// What `GET databases` says.
    ///
    /// This reads files.
    pub(crate) fn list(&self, may_index: bool) -> Value {
        let mut names = Vec::new();
        if let Some((name, _)) = &self.default {
            names.push(name.clone());
        }
        if let Some(root) = &self.root {
            let mut found = Vec::new();
            find(root, "", DEPTH, &mut found);
            found.sort();
            names.extend(found.into_iter().filter(|name| !self.is_default(root, name)));
        }
        let about = |name: &String| match self.about(name) {
            Ok((games, bytes)) => json!({ "name": name, "games": games, "bytes": bytes, "problem": null }),
            Err(problem) => {
                let message = problem.body()["message"].clone();
                json!({ "name": name, "games": null, "bytes": null, "problem": message })
            }
        };
        json!({
            "root": self.root.as_ref().map(|root| root.display().to_string()),
            "default": self.default.as_ref().map(|(name, _)| name),
            "mayIndex": may_index,
            "databases": names.iter().map(about).collect::<Vec<_>>(),
        })
    }

    fn is_default(&self, root: &Path, name: &str) -> bool {
        let same = |path: &PathBuf| path.canonicalize().ok() == root.join(name).canonicalize().ok();
        self.default.as_ref().is_some_and(|(_, path)| same(path))
    }

    /// How many games a database has, and how many bytes it takes. It is not kept open for that.
    fn about(&self, name: &str) -> Result<(u64, u64), Problem> {
        let known = self.lock().contains_key(name);
        let stats = match known {
            true => self.get(Some(name))?.database.stats()?,
            false => Database::open(self.path(name)?, self.options)?.stats()?,
        };
        Ok((stats.games, stats.bytes))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Entry>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn missing(name: &str) -> Problem {
    Problem::not_found("no-such-database", format!("there is no database `{name}`"))
}

/// What a database is called that was named by its path.
fn name_of(path: &Path) -> String {
    let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let name = real.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "database".to_owned())
}

/// The databases below a folder.
fn find(folder: &Path, name: &str, depth: usize, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(below) = entry.file_name().into_string() else {
            continue;
        };
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_folder || below.starts_with('.') || found.len() >= LISTED {
            continue;
        }
        let (path, name) = (entry.path(), join(name, &below));
        if path.join("CURRENT").is_file() {
            found.push(name);
        } else if depth > 1 {
            find(&path, &name, depth - 1, found);
        }
    }
}

fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}
