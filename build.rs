//! Puts the files of the page into the program: as they are, and packed by gzip. Without `page/dist`, which `scripts/page`
//! makes, the program is built without its page. The themes go into the library, as text.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

fn main() -> io::Result<()> {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let page = root.join("page/dist");
    // A path that is not there would have everything built again and again.
    let watched = ["page/dist", "page", "Cargo.toml"]
        .into_iter()
        .find(|path| root.join(path).exists());
    say(&format!("cargo::rerun-if-changed={}", watched.unwrap_or("build.rs")))?;
    let mut files = Vec::new();
    find(&page, "", &mut files)?;
    files.sort();
    let mut source = "/// The files of the page.\nstatic FILES: &[File] = &[\n".to_owned();
    for (number, (name, path)) in files.iter().enumerate() {
        let plain = fs::read(path)?;
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&plain)?;
        let packed = encoder.finish()?;
        let hash = Sha256::digest(&plain);
        let tag: String = hash.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
        let gzip = match packed.len() < plain.len() {
            true => {
                let target = out.join(format!("{number}.gz"));
                fs::write(&target, packed)?;
                format!("Some(include_bytes!({:?}))", target.display().to_string())
            }
            false => "None".to_owned(),
        };
        let _ = writeln!(
            source,
            "    File {{ path: {name:?}, kind: {:?}, etag: {:?}, plain: include_bytes!({:?}), gzip: {gzip} }},",
            kind(name),
            format!("\"{tag}\""),
            path.display().to_string(),
        );
    }
    source.push_str("];\n");
    fs::write(out.join("page.rs"), source)?;
    themes(&root.join("themes"), &out)
}

/// Lists the files of the themes: the name of each below its folder, and its text.
fn themes(folder: &Path, out: &Path) -> io::Result<()> {
    say(&format!("cargo::rerun-if-changed={}", folder.display()))?;
    let mut files = Vec::new();
    find(folder, "", &mut files)?;
    files.sort();
    let mut source =
        "/// The files of the themes: the name below `themes/`, and the text.\nstatic FILES: &[(&str, &str)] = &[\n"
            .to_owned();
    for (name, path) in files.iter().filter(|(name, _)| name.ends_with(".cql")) {
        let _ = writeln!(
            source,
            "    ({name:?}, include_str!({:?})),",
            path.display().to_string()
        );
    }
    source.push_str("];\n");
    fs::write(out.join("themes.rs"), source)
}

fn say(line: &str) -> io::Result<()> {
    writeln!(io::stdout(), "{line}")
}

/// All files below a folder, with their names below it. A folder that is not there has none.
fn find(folder: &Path, name: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries {
        let entry = entry?;
        let below = format!("{name}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            find(&entry.path(), &format!("{below}/"), files)?;
        } else {
            files.push((below, entry.path()));
        }
    }
    Ok(())
}

/// The media type of a file by the end of its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "png" => "image/png",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
