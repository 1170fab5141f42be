//! A small object store for tests and the demonstration: `cqldex-object-store FOLDER [PORT]` serves the folders in FOLDER as buckets of S3,
//! on this machine only. The credentials come from the environment, as those of its clients do.

use std::env;
use std::io::{self, Write};

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = env::args().nth(1).ok_or("name a folder")?;
    let port: u16 = env::args().nth(2).map_or(Ok(0), |port| port.parse())?;
    let (key, secret) = (env::var("AWS_ACCESS_KEY_ID")?, env::var("AWS_SECRET_ACCESS_KEY")?);
    let files = FileSystem::new(folder).map_err(|error| format!("{error:?}"))?;
    let mut service = S3ServiceBuilder::new(files);
    service.set_auth(SimpleAuth::from_single(key, secret));
    let service = service.build();
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let mut out = io::stdout();
    writeln!(out, "listening on {}", listener.local_addr()?)?;
    out.flush()?;
    loop {
        let (connection, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            let server = Builder::new(TokioExecutor::new());
            // A client that goes away is no error.
            let _ = server.serve_connection(TokioIo::new(connection), service).await;
        });
    }
}
