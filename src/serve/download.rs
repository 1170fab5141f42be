//! `GET answers/{id}/download`: a whole answer as a file, searched again.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::Response;
use serde::Deserialize;
use tokio::sync::oneshot;

use super::answers::Asked;
use super::app::App;
use super::drive::{Event, drive};
use super::file::{File, FileFormat};
use super::lane::Lane;
use super::problem::Problem;
use super::queue::Ticket;
use super::request::Parameters;
use super::sent::{Changed, Sent};
use super::stream::{Pieces, pieces};
use super::work::{Step, Task, Work};

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    format: FileFormat,
    /// The columns of a table, separated by commas.
    columns: Option<String>,
}

/// `GET answers/{id}/download`
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Parameters(Request { format, columns }): Parameters<Request>,
) -> Result<Response, Problem> {
    let answer = app.answers.get(&id)?;
    let file = File::new(format, columns.as_deref(), &answer.asked.query)?;
    let (kind, name) = format.headers();
    let asked = Asked {
        work: Work {
            task: Task::File(file),
            ..answer.asked.work.clone()
        },
        ..answer.asked.clone()
    };
    let ticket = app.queue.enter(Lane::Quick)?;
    let (pieces, mut response) = pieces(kind);
    response
        .headers_mut()
        .insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    let (begin, begun) = oneshot::channel();
    tokio::spawn(run(app, asked, ticket, pieces, begin));
    // What goes wrong before the first piece is answered with its status.
    match begun.await {
        Ok(problem) => Err(problem),
        Err(_) => Ok(response),
    }
}

/// Sends the file. `begin` is dropped when it begins, or is given what went wrong before.
async fn run(app: Arc<App>, asked: Asked, ticket: Ticket, pieces: Pieces, begin: oneshot::Sender<Problem>) {
    let mut begin = Some(begin);
    let mut sent = Sent::default();
    let mut driving = drive(&app, &asked, ticket);
    loop {
        let event = tokio::select! {
            event = driving.next() => event,
            () = pieces.gone() => return,
        };
        match event {
            None => {
                if sent.end() == Err(Changed) {
                    pieces.fail().await;
                }
                return;
            }
            Some(Ok(Event::Started)) => sent.begin(),
            Some(Ok(Event::Step(Step::Piece(piece)))) => {
                begin = None;
                match sent.rest(piece) {
                    Ok(rest) if rest.is_empty() => {}
                    Ok(rest) => pieces.bytes(rest).await,
                    Err(Changed) => return pieces.fail().await,
                }
            }
            Some(Ok(_)) => {}
            Some(Err(problem)) => {
                return match begin.take() {
                    Some(begin) => drop(begin.send(problem)),
                    // The file is cut: the client has to see that.
                    None => pieces.fail().await,
                };
            }
        }
    }
}
