//! The column families: one row each.

use std::sync::OnceLock;

use rocksdb::{BlockBasedOptions, ColumnFamilyDescriptor, DBCompressionType, InfoLogger, LogLevel, Options};

/// A column family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Column {
    /// The format version and the manifest; the only one that is written through the log.
    Meta,
    /// Texts of games, in blocks.
    Games,
    /// Move trees, in blocks.
    Boards,
    /// Posting lists and their directory.
    Postings,
    /// Arrays over the games of a segment: starts, blocks, tags, ratings, outcomes.
    Tags,
}

impl Column {
    /// All columns.
    pub(crate) const ALL: [Column; 5] = [
        Column::Meta,
        Column::Games,
        Column::Boards,
        Column::Postings,
        Column::Tags,
    ];

    /// The columns that hold segments.
    pub(crate) const OF_SEGMENTS: [Column; 4] = [Column::Games, Column::Boards, Column::Postings, Column::Tags];

    /// The name on disk.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Column::Meta => "meta",
            Column::Games => "games",
            Column::Boards => "boards",
            Column::Postings => "postings",
            Column::Tags => "tags",
        }
    }

    pub(crate) fn descriptor(self) -> ColumnFamilyDescriptor {
        ColumnFamilyDescriptor::new(self.name(), column_options())
    }
}

/// How RocksDB keeps a column, and how files for it are written. New options come with a cache of their own, which
/// takes longer to make than a small file takes to write; so there is one set, and copies of it.
pub(crate) fn column_options() -> Options {
    static OPTIONS: OnceLock<Options> = OnceLock::new();
    OPTIONS.get_or_init(new_column_options).clone()
}

fn new_column_options() -> Options {
    let mut options = Options::default();
    // Values are compressed by us: RocksDB would only try in vain.
    options.set_compression_type(DBCompressionType::None);
    // Segments never overlap and are never overwritten, so nothing is gained by rewriting them.
    options.set_disable_auto_compactions(true);
    let mut table = BlockBasedOptions::default();
    // Values are larger than blocks and are kept, unpacked, by us or not at all; the page cache has the rest.
    table.disable_cache();
    table.set_format_version(5);
    options.set_block_based_table_factory(&table);
    options
}

/// How RocksDB keeps the database.
pub(crate) fn database_options() -> Options {
    let mut options = Options::default();
    // A library that reads should not leave log files behind; what matters comes back as an error.
    options.set_info_logger(InfoLogger::new_callback_logger(LogLevel::Fatal, |_, _| {}));
    options.set_stats_dump_period_sec(0);
    options.set_stats_persist_period_sec(0);
    // Sixteen threads to open a few small files cost more than they save.
    options.set_max_file_opening_threads(1);
    // The list of files grows by a kilobyte a commit, and whoever opens the database reads all of it: from this size on,
    // a new one is begun if that is much smaller.
    options.set_max_manifest_file_size(1 << 17);
    // Each would begin with room for four megabytes.
    options.set_manifest_preallocation_size(1 << 16);
    // A damaged file is found when it is read; the others are not to be lost with it.
    options.set_paranoid_checks(false);
    // Opening must not read every file.
    options.set_skip_stats_update_on_db_open(true);
    options
}
