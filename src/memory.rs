//! How much memory the system gives this process: limits of processes (`ulimit`) and of groups of processes (cgroups).

use std::fs;
use std::path::{Path, PathBuf};

/// A limit, and what sets it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limit {
    pub(crate) bytes: u64,
    pub(crate) set_by: &'static str,
}

/// The least of all limits; `None` if there is none, or it is not known on this system.
pub(crate) fn limit() -> Option<Limit> {
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let of_group = of_groups(&groups, Path::new("/sys/fs/cgroup"), &|file| {
        fs::read_to_string(file).ok()
    });
    of_group
        .map(|bytes| Limit {
            bytes,
            set_by: "its cgroup",
        })
        .into_iter()
        .chain(of_process())
        .min_by_key(|limit| limit.bytes)
}

#[cfg(unix)]
fn of_process() -> impl Iterator<Item = Limit> {
    use rustix::process::{Resource, getrlimit};
    let of = |resource, set_by| {
        let bytes = getrlimit(resource).current?;
        Some(Limit { bytes, set_by })
    };
    let space = of(Resource::As, "`ulimit -v`");
    space.into_iter().chain(of(Resource::Data, "`ulimit -d`"))
}

#[cfg(not(unix))]
fn of_process() -> impl Iterator<Item = Limit> {
    std::iter::empty()
}

/// The least limit of the groups that this process is in, and of those around them. `groups` is what the system says of
/// them: `0::/a/b` in its second version, `4:memory:/a/b` in the first.
fn of_groups(groups: &str, root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    groups
        .lines()
        .filter_map(|line| {
            let mut fields = line.splitn(3, ':');
            let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
            let path = path.trim_start_matches('/');
            let (folder, file) = match (number, controllers) {
                ("0", "") => (root.to_owned(), "memory.max"),
                (_, controllers) if controllers.split(',').any(|one| one == "memory") => {
                    (root.join("memory"), "memory.limit_in_bytes")
                }
                _ => return None,
            };
            // In a container the group that is named may not be there, but its root is that of the container.
            let inner: PathBuf = folder.join(path);
            let around = inner.ancestors().take_while(|one| one.starts_with(&folder));
            // Without a limit the file says `max`, or a number that no machine has.
            let limits = around.filter_map(|one| read(&one.join(file))?.trim().parse().ok());
            limits.filter(|&bytes: &u64| bytes < 1 << 60).min()
        })
        .min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_all_groups_counts() {
        let read = |file: &Path| {
            let text = match file.to_str().unwrap() {
                "/c/memory.max" => "max\n",
                "/c/a/memory.max" => "700\n",
                "/c/a/b/memory.max" => "900\n",
                "/c/memory/memory.limit_in_bytes" => "9223372036854771712\n",
                "/c/memory/d/memory.limit_in_bytes" => "800\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        let of = |groups| of_groups(groups, Path::new("/c"), &read);
        assert_eq!(of("0::/a/b\n"), Some(700));
        assert_eq!(of("0::/\n"), None);
        assert_eq!(of("8:pids:/a\n4:cpu,memory:/d/e\n0::/\n"), Some(800));
        assert_eq!(of("4:memory:/d\n0::/a\n"), Some(700));
        assert_eq!(of("4:memory:/\n"), None);
        assert_eq!(of(""), None);
    }
}
