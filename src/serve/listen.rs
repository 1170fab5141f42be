//! Listens, takes connections, and ends in order.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};

use super::app::App;
use super::config::{CONNECTIONS, Config, HEAD_TIME};
use super::connection::Connection;
use super::imports::Imports;
use super::routes::router;

/// How long requests may take to end when the server ends.
const GRACE: Duration = Duration::from_secs(3);

/// How large the head of a request may be.
const HEAD: usize = 32 << 10;

/// Listens until `stop` says otherwise. `ready` is called with the address.
pub(crate) fn run(
    config: Config,
    stop: impl Future<Output = ()> + Send + 'static,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    raise_file_limit();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_io()
        .enable_time()
        .thread_name("cqldex-serve")
        .build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(config.listen).await?;
        ready(listener.local_addr()?);
        let app = Arc::new(App::new(config));
        serve(listener, &app, stop).await;
        end(&app.imports).await;
        Ok(())
    });
    // Searches that were cancelled leave the database within milliseconds.
    runtime.shutdown_timeout(GRACE);
    served
}

async fn serve(listener: TcpListener, app: &Arc<App>, stop: impl Future<Output = ()>) {
    let service = router(Arc::clone(app));
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let (ending, end) = watch::channel(false);
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let Ok((stream, _)) = accepted else {
            // The client has gone already, or there are no files left for a moment.
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        // One more than there may be is closed at once.
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else {
            continue;
        };
        let service = service.clone();
        let end = end.clone();
        tokio::spawn(async move {
            connection(stream, service, end).await;
            drop(permit);
        });
    }
    drop(listener);
    ending.send_replace(true);
    let all = u32::try_from(CONNECTIONS).unwrap_or(u32::MAX);
    let _ = tokio::time::timeout(GRACE, connections.acquire_many(all)).await;
}

async fn connection(stream: TcpStream, service: axum::Router, mut end: watch::Receiver<bool>) {
    let _ = stream.set_nodelay(true);
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD)
        .serve_connection(TokioIo::new(Connection::new(stream)), TowerToHyperService::new(service));
    tokio::pin!(connection);
    // What goes wrong with a connection is the business of its client.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = ending(&mut end) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Waits until the server ends.
async fn ending(end: &mut watch::Receiver<bool>) {
    let _ = end.wait_for(|&end| end).await;
}

/// Ends what adds games: what is read is committed.
async fn end(imports: &Imports) {
    imports.cancel();
    imports.ended().await;
}

/// Connections are files, and databases have many.
#[cfg(unix)]
fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    // Without that there are fewer.
    let _ = setrlimit(Resource::Nofile, raised);
}

#[cfg(not(unix))]
fn raise_file_limit() {}
