//! Shards that are open for searches, and the copies of shards on the local disk.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cqldex::{Database, Options};
use futures::{StreamExt, TryStreamExt, stream};
use tempfile::TempDir;
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::manifest::Shard;
use crate::place::Place;

/// How many files of a shard are copied at a time.
const COPIES: usize = 4;

/// The least memory that an open shard has for its lists.
const LEAST_CACHE: u64 = 8 << 20;

/// How long a search waits until others leave room in the cache.
const PATIENCE: Duration = Duration::from_secs(60);

/// The shards that a process works with: where their copies are, which are open, and how many are searched at a time.
#[derive(Debug)]
pub struct Shards {
    options: ShardOptions,
    searches: Arc<Semaphore>,
    state: Mutex<State>,
    /// Whoever opens a shard holds the lock of its id, so that it is copied once.
    opening: Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>,
}

/// What a process may use for shards.
#[derive(Clone, Debug)]
pub struct ShardOptions {
    /// The folder for copies. Without one, shards are read where they are, if that is a folder.
    pub cache: Option<PathBuf>,
    /// How many bytes the copies may take.
    pub cache_bytes: u64,
    /// How many shards are searched at a time, each by one thread.
    pub threads: NonZeroUsize,
    /// How many bytes of lists are kept in memory, all shards together.
    pub memory: u64,
}

impl Default for ShardOptions {
    fn default() -> ShardOptions {
        ShardOptions {
            cache: None,
            cache_bytes: 100 << 30,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            memory: 2 << 30,
        }
    }
}

/// What is known of the shards of this process.
#[derive(Debug, Default)]
struct State {
    /// Copies on the disk, by id.
    copies: HashMap<String, Copied>,
    /// Open shards, by their folders and the games before them.
    open: HashMap<(PathBuf, u64), Open>,
    /// Counts uses.
    clock: u64,
}

#[derive(Debug)]
struct Copied {
    bytes: u64,
    used: u64,
}

#[derive(Debug)]
struct Open {
    database: Arc<Database>,
    /// How many bytes of lists it may keep.
    cache: u64,
    used: u64,
}

impl Shards {
    /// Shards as the options say. Copies that are in the cache already are used.
    ///
    /// # Errors
    ///
    /// When the folder of the cache can't be made or read.
    pub fn new(options: ShardOptions) -> Result<Shards> {
        let mut state = State::default();
        if let Some(folder) = &options.cache {
            fs::create_dir_all(folder).map_err(Error::file(folder))?;
            state.find_copies(folder)?;
        }
        Ok(Shards {
            searches: Arc::new(Semaphore::new(options.threads.get())),
            options,
            state: Mutex::new(state),
            opening: Mutex::default(),
        })
    }

    /// How many shards are searched at a time.
    pub fn threads(&self) -> NonZeroUsize {
        self.options.threads
    }

    /// Who searches a shard takes one of these.
    pub(crate) fn searches(&self) -> Arc<Semaphore> {
        Arc::clone(&self.searches)
    }

    /// A shard, ready to be searched. It is copied first if it has to be.
    ///
    /// # Errors
    ///
    /// When it is missing or damaged in its place, or there is no room for it.
    pub async fn open(&self, place: &Place, shard: &Shard) -> Result<Arc<Database>> {
        let lock = Arc::clone(held(&self.opening).entry(shard.id.clone()).or_default());
        let _only = lock.lock().await;
        let folder = match (&self.options.cache, place.folder_of(shard)) {
            (Some(cache), _) => {
                self.copied(cache, place, shard).await?;
                cache.join(&shard.id)
            }
            (None, Some(folder)) => folder,
            (None, None) => {
                return Err(Error::Unsupported(format!(
                    "{}: shards of an object store are copied: name a folder with --cache",
                    place.name()
                )));
            }
        };
        if let Some(database) = self.already_open(&folder, shard.before) {
            return Ok(database);
        }
        if self.options.cache.is_none() {
            check_lengths(place, shard, &folder)?;
        }
        let threads = u64::try_from(self.options.threads.get()).unwrap_or(u64::MAX);
        // No shard needs more than it has, and none takes the memory of those that are searched beside it.
        let cache = shard.bytes().min(self.options.memory / (2 * threads)).max(LEAST_CACHE);
        let options = Options {
            cache,
            threads: NonZeroUsize::MIN,
            read_only: true,
            answers: None,
        };
        let (path, before) = (folder.clone(), shard.before);
        let opened = tokio::task::spawn_blocking(move || Database::open_part(&path, options, before)).await;
        let database = opened.map_err(|error| Error::Engine(error.to_string()))??;
        Ok(self.keep((folder, shard.before), database, cache))
    }

    /// Forgets a shard whose copy is damaged, so that it is copied anew. Returns whether there was a copy.
    pub(crate) fn forget(&self, shard: &Shard) -> bool {
        let Some(cache) = &self.options.cache else { return false };
        let folder = cache.join(&shard.id);
        let mut state = held(&self.state);
        state.open.retain(|(open, _), _| *open != folder);
        remove_copy(&folder);
        state.copies.remove(&shard.id).is_some()
    }

    /// Whether somebody is about to open a shard: its copy may be there, but nothing says yet that it is used.
    fn is_opening(&self, id: &str) -> bool {
        let opening = held(&self.opening);
        opening.get(id).is_some_and(|lock| lock.try_lock().is_err())
    }

    fn already_open(&self, folder: &Path, before: u64) -> Option<Arc<Database>> {
        let mut state = held(&self.state);
        let now = state.tick();
        let open = state.open.get_mut(&(folder.to_owned(), before))?;
        open.used = now;
        Some(Arc::clone(&open.database))
    }

    /// Keeps a shard open for the next search, and closes those that were not used for long.
    fn keep(&self, key: (PathBuf, u64), database: Database, cache: u64) -> Arc<Database> {
        let mut state = held(&self.state);
        let used = state.tick();
        while state.open.values().map(|open| open.cache).sum::<u64>() + cache > self.options.memory {
            let oldest = state.open.iter().min_by_key(|(_, open)| open.used);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else {
                break;
            };
            state.open.remove(&oldest);
        }
        let database = Arc::new(database);
        let open = Open {
            database: Arc::clone(&database),
            cache,
            used,
        };
        state.open.insert(key, open);
        database
    }

    /// Makes sure that there is a copy of a shard.
    async fn copied(&self, cache: &Path, place: &Place, shard: &Shard) -> Result<()> {
        let folder = cache.join(&shard.id);
        {
            let mut state = held(&self.state);
            let now = state.tick();
            if let Some(copied) = state.copies.get_mut(&shard.id) {
                copied.used = now;
                if state.is_open(&folder) || check_lengths(place, shard, &folder).is_ok() {
                    return Ok(());
                }
                state.copies.remove(&shard.id);
                remove_copy(&folder);
            }
        }
        let room = self.make_room(cache, shard).await?;
        match download(cache, place, shard).await {
            Err(error) if is_full(&error) => {
                // What nobody uses goes, and then it is tried once more.
                held(&self.state).evict(cache, u64::MAX, &|id| self.is_opening(id));
                download(cache, place, shard).await?;
            }
            copied => copied?,
        }
        room.fill();
        Ok(())
    }

    /// Removes copies that were not used for the longest time until there is room for another one.
    async fn make_room(&self, cache: &Path, shard: &Shard) -> Result<Room<'_>> {
        let (bytes, bound) = (shard.bytes(), self.options.cache_bytes);
        let deadline = Instant::now() + PATIENCE;
        loop {
            if bytes <= bound {
                let mut state = held(&self.state);
                let excess = (state.bytes() + bytes).saturating_sub(bound);
                if state.evict(cache, excess, &|id| self.is_opening(id)) >= excess {
                    let used = state.tick();
                    state.copies.insert(shard.id.clone(), Copied { bytes, used });
                    return Ok(Room {
                        shards: self,
                        id: Some(shard.id.clone()),
                    });
                }
            }
            if bytes > bound || Instant::now() >= deadline {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Err(Error::NoRoom {
            folder: cache.to_owned(),
            shard: shard.id.clone(),
            bytes,
            bound,
        })
    }
}

/// Room for a copy in the cache. It is given back when nothing is copied, because that has failed or nobody waits for it.
struct Room<'s> {
    shards: &'s Shards,
    id: Option<String>,
}

impl Room<'_> {
    /// The copy is there.
    fn fill(mut self) {
        self.id = None;
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            held(&self.shards.state).copies.remove(&id);
        }
    }
}

impl State {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn bytes(&self) -> u64 {
        self.copies.values().map(|copied| copied.bytes).sum()
    }

    fn is_open(&self, folder: &Path) -> bool {
        self.open.keys().any(|(open, _)| open == folder)
    }

    /// Whether a search is using a copy, or somebody is making it.
    fn is_in_use(&self, folder: &Path) -> bool {
        let mut open = self.open.iter().filter(|((open, _), _)| open == folder);
        open.any(|(_, open)| Arc::strong_count(&open.database) > 1) || !folder.is_dir()
    }

    /// Removes copies that nobody uses, the least used first, until this number of bytes is free. Returns how many are.
    fn evict(&mut self, cache: &Path, bytes: u64, is_opening: &dyn Fn(&str) -> bool) -> u64 {
        let mut freed = 0;
        while freed < bytes {
            let is_used = |id: &str| is_opening(id) || self.is_in_use(&cache.join(id));
            let unused = self.copies.iter().filter(|(id, _)| !is_used(id));
            let Some((id, copied)) = unused.min_by_key(|(_, copied)| copied.used) else {
                break;
            };
            let (id, folder) = (id.clone(), cache.join(id));
            freed += copied.bytes;
            self.open.retain(|(open, _), _| *open != folder);
            self.copies.remove(&id);
            remove_copy(&folder);
        }
        freed
    }

    /// Finds what an earlier process has left in the cache.
    fn find_copies(&mut self, cache: &Path) -> Result<()> {
        let mut found = Vec::new();
        for entry in fs::read_dir(cache).map_err(Error::file(cache))? {
            let entry = entry.map_err(Error::file(cache))?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with(UNFINISHED) {
                remove_copy(&path);
            } else if path.is_dir() {
                let changed = entry.metadata().and_then(|data| data.modified());
                found.push((changed.map_err(Error::file(&path))?, name, length(&path)?));
            }
        }
        found.sort();
        for (_, id, bytes) in found {
            let used = self.tick();
            self.copies.insert(id, Copied { bytes, used });
        }
        Ok(())
    }
}

/// What the folders of copies that are not complete are called.
const UNFINISHED: &str = "unfinished-";

/// Copies a shard. Its folder is there when it is complete and checked.
async fn download(cache: &Path, place: &Place, shard: &Shard) -> Result<()> {
    let unfinished = TempDir::with_prefix_in(UNFINISHED, cache).map_err(Error::file(cache))?;
    let copies: Vec<_> = shard
        .files
        .iter()
        .map(|file| place.download(shard, file, unfinished.path()))
        .collect();
    stream::iter(copies)
        .buffer_unordered(COPIES)
        .try_collect::<()>()
        .await?;
    let folder = cache.join(&shard.id);
    match fs::rename(unfinished.path(), &folder) {
        Ok(()) => {
            // The folder has another name: there is nothing left to remove.
            let _ = unfinished.keep();
            Ok(())
        }
        // Another process with the same cache was quicker.
        Err(_) if check_lengths(place, shard, &folder).is_ok() => Ok(()),
        Err(error) => Err(Error::file(&folder)(error)),
    }
}

/// Checks that all files are there, as long as they were. What is in them is checked as it is read.
fn check_lengths(place: &Place, shard: &Shard, folder: &Path) -> Result<()> {
    for file in &shard.files {
        let length = fs::metadata(folder.join(&file.name)).map(|data| data.len());
        let (shard, name, place) = (shard.id.clone(), file.name.clone(), place.name().to_owned());
        match length {
            Ok(length) if length == file.bytes => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::MissingShard {
                    shard,
                    file: name,
                    place,
                });
            }
            Ok(_) | Err(_) => {
                return Err(Error::DamagedShard {
                    shard,
                    file: name,
                    place,
                });
            }
        }
    }
    Ok(())
}

/// Whether the disk is full.
fn is_full(error: &Error) -> bool {
    let Error::File { error, .. } = error else { return false };
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// How many bytes the files of a folder have.
fn length(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).map_err(Error::file(folder))? {
        let data = entry.and_then(|entry| entry.metadata());
        bytes += data.map_err(Error::file(folder))?.len();
    }
    Ok(bytes)
}

/// Removes a copy. One that can't be removed now is found when the cache is next opened.
fn remove_copy(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}

/// What a lock holds, whether somebody has panicked or not: it is changed in single steps.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
