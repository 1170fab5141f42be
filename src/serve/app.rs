//! What all requests share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, watch};

use super::answers::Answers;
use super::config::Config;
use super::databases::Databases;
use super::imports::Imports;
use super::problem::Problem;
use super::queue::Queue;

/// How many short tasks run at a time for each core: pages, games, checks.
const SHORT_TASKS: usize = 2;

/// How many counts and squares for pictures are made at a time: they may take more than a second each.
const PICTURES: usize = 2;

/// What all requests share.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) databases: Databases,
    pub(crate) queue: Arc<Queue>,
    pub(crate) answers: Answers,
    pub(crate) imports: Imports,
    turns: Mutex<HashMap<String, watch::Sender<bool>>>,
    short: Semaphore,
    pictures: Semaphore,
}

/// The turn of a question: it ends when its page asks the next.
#[derive(Debug)]
pub(crate) struct Turn(Option<watch::Receiver<bool>>);

impl App {
    pub(crate) fn new(config: Config) -> App {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        App {
            databases: Databases::new(&config),
            queue: Queue::new(config.limits.searches, config.limits.waiting),
            answers: Answers::new(config.limits.answers, config.limits.answer_bytes),
            imports: Imports::default(),
            turns: Mutex::default(),
            short: Semaphore::new(SHORT_TASKS * cores),
            pictures: Semaphore::new(PICTURES),
            config,
        }
    }

    /// Runs something short on a thread that may wait for files.
    pub(crate) async fn short<T: Send + 'static>(
        self: &Arc<App>,
        task: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.run(&self.short, task).await
    }

    /// The same for something that takes longer, so that short tasks do not wait for it.
    pub(crate) async fn picture<T: Send + 'static>(
        self: &Arc<App>,
        task: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.run(&self.pictures, task).await
    }

    async fn run<T: Send + 'static>(
        self: &Arc<App>,
        room: &Semaphore,
        task: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let _permit = room.acquire().await.map_err(Problem::internal)?;
        let app = Arc::clone(self);
        tokio::task::spawn_blocking(move || task(&app))
            .await
            .map_err(Problem::internal)?
    }

    /// The turn of a page, which ends the one before.
    pub(crate) fn turn(&self, page: Option<&str>) -> Turn {
        let Some(page) = page else { return Turn(None) };
        let (sender, receiver) = watch::channel(false);
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| !turn.is_closed());
        if let Some(before) = turns.insert(page.to_owned(), sender) {
            before.send_replace(true);
        }
        Turn(Some(receiver))
    }
}

impl Turn {
    /// Waits until the turn is over.
    pub(crate) async fn over(&mut self) {
        match &mut self.0 {
            Some(turn) => {
                if turn.wait_for(|&over| over).await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
            None => std::future::pending().await,
        }
    }
}

/// A random name that can't be guessed.
pub(crate) fn secret() -> Result<String, std::io::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
