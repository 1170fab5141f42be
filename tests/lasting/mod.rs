//! A folder for all tests of a process.

use std::path::{Path, PathBuf};
use std::process::Child;

/// A folder that goes away when the process ends, however it ends: statics are never dropped. On systems other than Unix it
/// stays.
#[derive(Debug)]
pub(crate) struct Lasting {
    path: PathBuf,
    /// Waits for the end of its input, which is the end of this process, and removes the folder then.
    _remover: Option<Child>,
}

impl Lasting {
    /// An empty one.
    pub(crate) fn new() -> Lasting {
        let path = tempfile::tempdir().expect("a temporary folder can be made").keep();
        Lasting {
            _remover: remover(&path),
            path,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(unix)]
fn remover(path: &Path) -> Option<Child> {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    let mut command = Command::new("sh");
    command.args(["-c", "cat; rm -rf \"$1\"", "sh"]).arg(path);
    // What a terminal sends to the tests is not for it.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    Some(command.spawn().expect("there is a shell"))
}

#[cfg(not(unix))]
fn remover(_: &Path) -> Option<Child> {
    None
}
