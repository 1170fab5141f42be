//! Where shards and manifests are: a folder, or a bucket of an object store.

use std::path::{self, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use futures::TryStreamExt;
use object_store::aws::AmazonS3Builder;
use object_store::buffered::BufWriter;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions};
use sha2::{Digest, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use url::Url;

use crate::error::{Error, Result};
use crate::manifest::{Manifest, Shard, ShardFile, hexadecimal};

/// Where manifests are, and where the files of shards are.
const MANIFESTS: &str = "manifests";
const SHARDS: &str = "shards";

/// How many bytes are copied at a time.
const CHUNK: usize = 1 << 20;

/// A folder or a bucket with shards.
#[derive(Clone, Debug)]
pub struct Place {
    name: String,
    folder: Option<PathBuf>,
    store: Arc<dyn ObjectStore>,
}

impl Place {
    /// A place: a folder, `file:///folder`, or `s3://bucket/folder`. What an S3-compatible store needs to be told comes from
    /// the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_REGION`, `AWS_ENDPOINT`, and `AWS_ALLOW_HTTP=true`
    /// for one without TLS.
    ///
    /// # Errors
    ///
    /// When there is no such folder, or the text names a store that is not known or has a password in it.
    pub fn open(text: &str) -> Result<Place> {
        if !text.contains("://") {
            let folder = path::absolute(text).map_err(Error::file(text))?;
            return Place::of_folder(folder);
        }
        let url = Url::parse(text).map_err(|error| Error::Place(format!("{text}: {error}")))?;
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() {
            return Err(Error::Place(
                "the address of a store has no name, password or parameters: credentials come from the environment"
                    .to_owned(),
            ));
        }
        match url.scheme() {
            "file" => {
                let folder = url.to_file_path();
                Place::of_folder(folder.map_err(|()| Error::Place(format!("{text}: this is no folder")))?)
            }
            "s3" => {
                let builder = AmazonS3Builder::from_env().with_url(text);
                let store: Arc<dyn ObjectStore> = Arc::new(builder.build()?);
                let prefix = Path::from_url_path(url.path()).map_err(object_store::Error::from)?;
                Ok(Place {
                    name: text.trim_end_matches('/').to_owned(),
                    folder: None,
                    store: match prefix.as_ref() {
                        "" => store,
                        _ => Arc::new(PrefixStore::new(store, prefix)),
                    },
                })
            }
            other => Err(Error::Place(format!(
                "{text}: shards are in a folder or in s3://, not in {other}://"
            ))),
        }
    }

    /// The same; a folder is made if there is none.
    ///
    /// # Errors
    ///
    /// As [`Place::open`], and when the folder can't be made.
    pub fn create(text: &str) -> Result<Place> {
        if !text.contains("://") {
            std::fs::create_dir_all(text).map_err(Error::file(text))?;
        }
        Place::open(text)
    }

    fn of_folder(folder: PathBuf) -> Result<Place> {
        let name = folder.to_string_lossy().into_owned();
        if !folder.is_dir() {
            return Err(Error::Place(format!("{name}: there is no such folder")));
        }
        // The folder of a shard goes with its last file.
        let store = LocalFileSystem::new_with_prefix(&folder)?.with_automatic_cleanup(true);
        Ok(Place {
            name,
            folder: Some(folder),
            store: Arc::new(store),
        })
    }

    /// What it is called, from everywhere.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The folder of a shard, if it can be read where it is.
    pub fn folder_of(&self, shard: &Shard) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(SHARDS).join(&shard.id))
    }

    /// The manifest that holds.
    ///
    /// # Errors
    ///
    /// When there is none, it is damaged, or the store can't be read.
    pub async fn manifest(&self) -> Result<Manifest> {
        let manifest = self.newest().await?;
        manifest.ok_or_else(|| Error::Manifest(format!("{}: there is no manifest", self.name)))
    }

    /// The same; nothing if there is none yet.
    ///
    /// # Errors
    ///
    /// When it is damaged, or the store can't be read.
    pub async fn newest(&self) -> Result<Option<Manifest>> {
        match self.stored_manifests().await?.pop() {
            Some(newest) => Ok(Some(self.read_manifest(&newest).await?)),
            None => Ok(None),
        }
    }

    /// All manifests, in the order of their numbers.
    pub(crate) async fn stored_manifests(&self) -> Result<Vec<Stored>> {
        let mut manifests = self.list(MANIFESTS).await?;
        // A file that is being written has another ending.
        manifests.retain(|manifest| manifest.path.as_ref().ends_with(".json"));
        manifests.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(manifests)
    }

    /// Reads a manifest.
    pub(crate) async fn read_manifest(&self, manifest: &Stored) -> Result<Manifest> {
        let text = self.store.get(&manifest.path).await?.bytes().await?;
        Manifest::decode(manifest.path.as_ref(), &text)
    }

    /// The files of all shards, or of one by its id, also of those that no manifest names.
    pub(crate) async fn stored_shards(&self, id: Option<&str>) -> Result<Vec<Stored>> {
        match id {
            Some(id) => self.list(&format!("{SHARDS}/{id}")).await,
            None => self.list(SHARDS).await,
        }
    }

    async fn list(&self, folder: &str) -> Result<Vec<Stored>> {
        let prefix = Path::from(folder);
        let objects = self.store.list(Some(&prefix)).map_ok(|object| Stored {
            path: object.location,
            bytes: object.size,
            written: object.last_modified.into(),
        });
        Ok(objects.try_collect().await?)
    }

    /// Removes a file. It is no error if it is gone already.
    pub(crate) async fn remove(&self, file: &Stored) -> Result<()> {
        match self.store.delete(&file.path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Makes a manifest the one that holds.
    ///
    /// # Errors
    ///
    /// When somebody else has published one with its number, or the store does not take it.
    pub async fn publish(&self, manifest: &Manifest) -> Result<()> {
        // The names are as long as they need to be for their order to be that of the numbers.
        let path = Path::from(format!("{MANIFESTS}/{:020}.json", manifest.number));
        let options = PutOptions::from(PutMode::Create);
        match self.store.put_opts(&path, manifest.encode().into(), options).await {
            Ok(_) => self.sync(&path).await,
            Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                Err(Error::Overtaken {
                    place: self.name.clone(),
                    number: manifest.number,
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the files of a shard, which are in a folder.
    ///
    /// # Errors
    ///
    /// When a file can't be read, or the store does not take it.
    pub async fn upload(&self, shard: &Shard, folder: &path::Path) -> Result<()> {
        for file in &shard.files {
            let path = folder.join(&file.name);
            let mut from = File::open(&path).await.map_err(Error::file(&path))?;
            let mut to = BufWriter::new(Arc::clone(&self.store), path_of(shard, file));
            let mut chunk = vec![0; CHUNK];
            loop {
                let read = from.read(&mut chunk).await.map_err(Error::file(&path))?;
                if read == 0 {
                    break;
                }
                to.write_all(&chunk[..read]).await.map_err(Error::file(&path))?;
            }
            to.shutdown().await.map_err(Error::file(&path))?;
            self.sync(&path_of(shard, file)).await?;
        }
        Ok(())
    }

    /// Makes sure that what was written to a folder is on the disk. An object store says so itself.
    async fn sync(&self, path: &Path) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let file = folder.join(path.as_ref());
        for path in [file.as_path(), file.parent().unwrap_or(folder)] {
            let file = File::open(path).await.map_err(Error::file(path))?;
            file.sync_all().await.map_err(Error::file(path))?;
        }
        Ok(())
    }

    /// Copies a file of a shard to a folder, and checks it.
    ///
    /// # Errors
    ///
    /// When it is not in the store, is not as it was written, or the disk has no room for it.
    pub async fn download(&self, shard: &Shard, file: &ShardFile, folder: &path::Path) -> Result<()> {
        let object = path_of(shard, file);
        let mut stream = match self.store.get(&object).await {
            Ok(found) => found.into_stream(),
            Err(object_store::Error::NotFound { .. }) => {
                return Err(Error::MissingShard {
                    shard: shard.id.clone(),
                    file: file.name.clone(),
                    place: self.name.clone(),
                });
            }
            Err(error) => return Err(error.into()),
        };
        let path = folder.join(&file.name);
        let mut out = File::create(&path).await.map_err(Error::file(&path))?;
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        while let Some(chunk) = stream.try_next().await? {
            hash.update(&chunk);
            bytes += chunk.len() as u64;
            out.write_all(&chunk).await.map_err(Error::file(&path))?;
        }
        out.flush().await.map_err(Error::file(&path))?;
        if bytes != file.bytes || hexadecimal(&hash.finalize()) != file.sha256 {
            return Err(Error::DamagedShard {
                shard: shard.id.clone(),
                file: file.name.clone(),
                place: self.name.clone(),
            });
        }
        Ok(())
    }
}

/// A file of a place.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    path: Path,
    pub(crate) bytes: u64,
    pub(crate) written: SystemTime,
}

impl Stored {
    /// The id of the shard that it belongs to, if it does.
    pub(crate) fn shard(&self) -> Option<&str> {
        let (folder, rest) = self.path.as_ref().split_once('/')?;
        let (id, _) = rest.split_once('/')?;
        (folder == SHARDS).then_some(id)
    }

    /// What it is called in its folder.
    pub(crate) fn name(&self) -> &str {
        self.path.filename().unwrap_or_default()
    }
}

/// Where a file of a shard is.
fn path_of(shard: &Shard, file: &ShardFile) -> Path {
    Path::from(format!("{SHARDS}/{}/{}", shard.id, file.name))
}
