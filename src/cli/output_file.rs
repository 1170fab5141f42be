//! Files that are written completely or not at all.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::exit::Failure;

/// Where output goes: standard output, or a file that takes the place of an older one when all is written.
#[derive(Debug)]
pub(crate) enum OutputFile {
    /// Standard output.
    Stdout(BufWriter<Stdout>),
    /// A file under a temporary name, and its final name.
    File(BufWriter<NamedTempFile>, PathBuf),
    /// A pipe or a device, which must not be replaced by a plain file.
    Special(BufWriter<File>),
}

impl OutputFile {
    /// Opens a file, or standard output for `-`. The file keeps its content until [`OutputFile::commit`].
    ///
    /// # Errors
    ///
    /// When no file can be created in the folder.
    pub(crate) fn create(path: &Path) -> Result<OutputFile, Failure> {
        if path == OsStr::new("-") {
            return Ok(OutputFile::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())));
        }
        OutputFile::open(path).map_err(|error| Failure::message(format!("{}: {error}", path.display())))
    }

    /// The same for a file whatever its name, with the error of the system.
    ///
    /// # Errors
    ///
    /// When no file can be created in the folder.
    pub(crate) fn open(path: &Path) -> io::Result<OutputFile> {
        let old = path.metadata().ok();
        if path.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a folder"));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(path)?;
            return Ok(OutputFile::Special(BufWriter::with_capacity(1 << 16, file)));
        }
        // A symbolic link stays, and its target is replaced.
        let path = if old.is_some() {
            path.canonicalize()?
        } else {
            path.to_owned()
        };
        let folder = match path.parent() {
            Some(folder) if folder != OsStr::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".cqldex-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder)?;
        if let Some(old) = old {
            file.as_file().set_permissions(old.permissions())?;
        }
        Ok(OutputFile::File(BufWriter::with_capacity(1 << 16, file), path))
    }

    /// Gives the file its name.
    ///
    /// # Errors
    ///
    /// When something can't be written.
    pub(crate) fn commit(self) -> Result<(), Failure> {
        let path = match &self {
            OutputFile::File(_, path) => path.clone(),
            OutputFile::Stdout(_) | OutputFile::Special(_) => return Ok(self.persist()?),
        };
        let persisted = self.persist();
        persisted.map_err(|error| Failure::message(format!("{}: {error}", path.display())))
    }

    /// The same, with the error of the system.
    ///
    /// # Errors
    ///
    /// When something can't be written.
    pub(crate) fn persist(self) -> io::Result<()> {
        match self {
            OutputFile::Stdout(mut out) => out.flush(),
            OutputFile::Special(mut out) => out.flush(),
            OutputFile::File(out, path) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
                file.persist(&path).map_err(|error| error.error)?;
                Ok(())
            }
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            OutputFile::Stdout(out) => out.write(bytes),
            OutputFile::File(out, _) => out.write(bytes),
            OutputFile::Special(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            OutputFile::Stdout(out) => out.flush(),
            OutputFile::File(out, _) => out.flush(),
            OutputFile::Special(out) => out.flush(),
        }
    }
}
