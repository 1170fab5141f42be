//! PGN of another size, made from the games of a file: a part of them, or all of them several times.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::str::FromStr;

/// How many games to take: `4` is all of them four times, `1/8` is every eighth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    copies: u32,
    one_in: u32,
}

impl Share {
    /// Every game once.
    pub(crate) const ALL: Share = Share { copies: 1, one_in: 1 };
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let (copies, one_in) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| text.parse().ok().filter(|&number| number > 0);
        match (number(copies), number(one_in)) {
            (Some(copies), Some(one_in)) if copies == 1 || one_in == 1 => Ok(Share { copies, one_in }),
            _ => Err(format!("`{text}` is neither a number of copies nor a part such as 1/8")),
        }
    }
}

impl std::fmt::Display for Share {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.one_in {
            1 => write!(f, "{}", self.copies),
            part => write!(f, "{}/{part}", self.copies),
        }
    }
}

/// Reads a PGN file, unpacked if it is packed by zstd.
fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = File::open(path)?;
    if path.extension().is_some_and(|extension| extension == "zst") {
        Ok(Box::new(BufReader::with_capacity(
            1 << 20,
            zstd::stream::read::Decoder::new(file)?,
        )))
    } else {
        Ok(Box::new(BufReader::with_capacity(1 << 20, file)))
    }
}

/// Writes a share of the games of a file as plain PGN. The value of the tag Event tells the copies from each other:
/// the second of `Club` is `Club (2)`. A game begins where its tag Event is.
pub(crate) fn write(games: &Path, share: Share, to: &Path) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(to)?);
    for copy in 1..=share.copies {
        let mut reader = open(games)?;
        let (mut line, mut game) = (Vec::new(), 0u32);
        while reader.read_until(b'\n', &mut line)? > 0 {
            let event = line.strip_prefix(b"[Event \"").map(<[u8]>::trim_ascii_end);
            game += u32::from(event.is_some());
            if game % share.one_in == 0 {
                match event.and_then(|event| event.strip_suffix(b"\"]")) {
                    Some(event) if copy > 1 => {
                        out.write_all(b"[Event \"")?;
                        out.write_all(event)?;
                        writeln!(out, " ({copy})\"]")?;
                    }
                    _ => out.write_all(&line)?,
                }
            }
            line.clear();
        }
        out.write_all(b"\n")?;
    }
    out.flush()
}
