//! The sources of PGN: files, directories and standard input, packed or not.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use walkdir::WalkDir;

use crate::error::{Error, Result};

/// Bytes that can be read once.
pub(crate) type Stream = Box<dyn Read + Send>;

/// One input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    /// The file; `-` is standard input.
    pub(crate) path: PathBuf,
    /// Its size on disk, if known.
    pub(crate) size: Option<u64>,
}

impl Input {
    pub(crate) fn is_stdin(&self) -> bool {
        self.path.as_os_str() == "-"
    }
}

/// Finds the files of all sources, in directories in the order of their names. A file that is given itself may have any
/// name. In directories, only files that [`is_pgn`] accepts are read.
pub(crate) fn find(sources: &[PathBuf]) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for source in sources {
        if source.as_os_str() == "-" {
            inputs.push(Input {
                path: source.clone(),
                size: None,
            });
            continue;
        }
        let metadata = source.metadata().map_err(|error| Error::Open {
            path: source.clone(),
            source: error,
        })?;
        if metadata.is_dir() {
            find_in(source, &mut inputs)?;
        } else {
            // Only a plain file has a size; a pipe has none.
            let size = metadata.is_file().then_some(metadata.len());
            inputs.push(Input {
                path: source.clone(),
                size,
            });
        }
    }
    Ok(inputs)
}

fn find_in(directory: &Path, inputs: &mut Vec<Input>) -> Result<()> {
    for entry in WalkDir::new(directory).follow_links(true).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(directory).to_owned();
            Error::Open {
                path,
                source: error.into(),
            }
        })?;
        if entry.file_type().is_file() && is_pgn(entry.path()) {
            let size = entry.metadata().ok().map(|metadata| metadata.len());
            inputs.push(Input {
                path: entry.into_path(),
                size,
            });
        }
    }
    Ok(())
}

/// Whether the name of a file ends with `.pgn`, or with that and the ending of a packed file.
fn is_pgn(path: &Path) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let name = [".zst", ".gz", ".bz2"]
        .iter()
        .find_map(|ending| name.strip_suffix(ending))
        .unwrap_or(&name);
    name.ends_with(".pgn")
}

/// Opens an input.
pub(crate) fn open(input: &Input, cancel: &Arc<AtomicBool>) -> Result<Stream> {
    if input.is_stdin() {
        return Ok(Box::new(Stdin::new(Arc::clone(cancel))));
    }
    let file = File::open(&input.path).map_err(|source| Error::Open {
        path: input.path.clone(),
        source,
    })?;
    Ok(Box::new(file))
}

/// Unpacks a stream according to its first bytes, and counts the packed bytes.
pub(crate) fn unpack(raw: Stream, path: &Path, done: &Arc<AtomicU64>) -> Result<Stream> {
    let failed = |source| Error::Open {
        path: path.to_owned(),
        source,
    };
    let mut raw = Counted {
        raw,
        done: Arc::clone(done),
    };
    let mut magic = [0; 4];
    let length = read_full(&mut raw, &mut magic).map_err(failed)?;
    let magic = magic[..length].to_vec();
    let packing = magic.clone();
    let whole = BufReader::with_capacity(1 << 17, io::Cursor::new(magic).chain(raw));
    Ok(match *packing {
        // A zstd frame, or a skippable frame before it.
        [0x28, 0xb5, 0x2f, 0xfd] | [0x50..=0x5f, 0x2a, 0x4d, 0x18] => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(whole).map_err(failed)?;
            decoder.window_log_max(WINDOW_LOG).map_err(failed)?;
            Box::new(Unzstd(decoder))
        }
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(whole)),
        [b'B', b'Z', b'h', _] => Box::new(bzip2::bufread::MultiBzDecoder::new(whole)),
        _ => Box::new(whole),
    })
}

/// How much memory a zstd file may ask for, as a power of two: 128 MB, as much as the program `zstd` allows unless it is told
/// otherwise.
const WINDOW_LOG: u32 = 27;

/// A zstd stream that says what to do where it wants too much memory.
struct Unzstd<R>(R);

impl<R: Read> Read for Unzstd<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            // The text is all that the crate tells of an error.
            let code = zstd::zstd_safe::zstd_sys::ZSTD_ErrorCode::ZSTD_error_frameParameter_windowTooLarge as usize;
            match error.to_string() == zstd::zstd_safe::get_error_name(code.wrapping_neg()) {
                true => io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!(
                        "more than {} MB of memory are needed to unpack it: `zstd -dc --long=31` does that, and `-` reads \
                         what it writes",
                        (1 << WINDOW_LOG) >> 20
                    ),
                ),
                false => error,
            }
        })
    }
}

/// Reads until the buffer is full or the input ends. Returns the number of bytes.
pub(crate) fn read_full(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// How many bytes of standard input are read at once, and how often a cancellation is checked.
const STDIN_BYTES: usize = 1 << 16;
const STDIN_PAUSE: Duration = Duration::from_millis(50);

/// Standard input that ends when the run is cancelled, even while no input arrives. The thread that reads it is then
/// left waiting.
struct Stdin {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    cancel: Arc<AtomicBool>,
}

impl Stdin {
    fn new(cancel: Arc<AtomicBool>) -> Stdin {
        let (sender, chunks) = bounded(4);
        thread::spawn(move || {
            let mut stdin = io::stdin().lock();
            loop {
                let mut chunk = vec![0; STDIN_BYTES];
                let read = match stdin.read(&mut chunk) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    read => read,
                };
                let is_end = !matches!(read, Ok(1..));
                let chunk = read.map(|count| {
                    chunk.truncate(count);
                    chunk
                });
                if sender.send(chunk).is_err() || is_end {
                    return;
                }
            }
        });
        Stdin {
            chunks,
            chunk: io::Cursor::default(),
            cancel,
        }
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.chunk.read(buffer)?;
            if count > 0 || buffer.is_empty() || self.cancel.load(Ordering::Relaxed) {
                return Ok(count);
            }
            match self.chunks.recv_timeout(STDIN_PAUSE) {
                Ok(chunk) => self.chunk = io::Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
            if self.chunk.get_ref().is_empty() {
                return Ok(0);
            }
        }
    }
}

/// Counts the bytes that are read.
struct Counted<R> {
    raw: R,
    done: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.raw.read(buffer)?;
        self.done.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

    use super::*;

    const TEXT: &[u8] = b"[Event \"?\"]\n\n1. e4 *\n";

    #[test]
    fn packed_files_are_known_by_their_first_bytes() {
        let directory = tempfile::tempdir().unwrap();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(TEXT).unwrap();
        let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bz2.write_all(TEXT).unwrap();
        let zst = zstd::encode_all(TEXT, 1).unwrap();
        for packed in [
            TEXT.to_vec(),
            gz.finish().unwrap(),
            bz2.finish().unwrap(),
            zst,
            Vec::new(),
        ] {
            let path = directory.path().join("games");
            fs::write(&path, &packed).unwrap();
            let done = Arc::new(AtomicU64::new(0));
            let input = find(&[path]).unwrap().remove(0);
            let mut text = Vec::new();
            let raw = open(&input, &Arc::default()).unwrap();
            unpack(raw, &input.path, &done).unwrap().read_to_end(&mut text).unwrap();
            assert_eq!(text, if packed.is_empty() { b"" } else { TEXT });
            assert_eq!(done.load(Ordering::Relaxed), packed.len() as u64);
            assert_eq!(input.size, Some(packed.len() as u64));
        }
    }

    /// A frame without a content size, its window of 2^`log` bytes, and one last block that is not packed.
    fn frame_with_window(log: u8) -> Vec<u8> {
        let block = u32::try_from(TEXT.len() << 3 | 1).unwrap().to_le_bytes();
        [&[0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3], &block[..3], TEXT].concat()
    }

    #[test]
    fn windows_that_are_too_large_are_refused() {
        let read = |log| {
            let frame = io::Cursor::new(frame_with_window(log));
            let mut text = Vec::new();
            let mut stream = unpack(Box::new(frame), Path::new("games"), &Arc::default())?;
            stream
                .read_to_end(&mut text)
                .map(|_| text)
                .map_err(|source| Error::Open {
                    path: "games".into(),
                    source,
                })
        };
        assert_eq!(read(27).unwrap(), TEXT);
        for log in [28, 31] {
            let error = read(log).unwrap_err().to_string();
            assert!(
                error.contains("more than 128 MB of memory") && error.contains("--long=31"),
                "{error}"
            );
        }
    }

    #[test]
    fn directories_are_searched_in_order() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["b.pgn", "a/2.PGN.zst", "a/1.pgn.gz", "notes.txt", "c.pgn.bz2"] {
            let path = directory.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = find(&[directory.path().to_owned(), "-".into()]).unwrap();
        let names: Vec<_> = found
            .iter()
            .map(|input| input.path.strip_prefix(directory.path()).unwrap_or(&input.path))
            .collect();
        assert_eq!(
            names,
            ["a/1.pgn.gz", "a/2.PGN.zst", "b.pgn", "c.pgn.bz2", "-"].map(Path::new)
        );
        assert!(matches!(
            find(&[directory.path().join("none")]),
            Err(Error::Open { .. })
        ));
    }
}
