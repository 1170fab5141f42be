//! The column families and the options of RocksDB.

use std::sync::OnceLock;

use rocksdb::{BlockBasedOptions, ColumnFamilyDescriptor, DBCompressionType, InfoLogger, LogLevel, Options};

use crate::id::Layout;

/// A column of values, which is a column family of RocksDB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Column {
    /// The format version, the manifest and other records.
    Meta,
    /// Texts of games, in blocks.
    Games,
    /// Move trees, in blocks.
    Boards,
    /// Posting lists and their directory.
    Postings,
    /// Arrays over the games of a segment: starts, blocks, tags, ratings, outcomes.
    Tags,
    /// All values of small segments, each segment in one file.
    Small,
}

impl Column {
    /// All columns.
    pub(crate) const ALL: [Column; 6] = [
        Column::Meta,
        Column::Games,
        Column::Boards,
        Column::Postings,
        Column::Tags,
        Column::Small,
    ];

    /// The columns that the values of a segment belong to.
    pub(crate) const OF_SEGMENTS: [Column; 4] = [Column::Games, Column::Boards, Column::Postings, Column::Tags];

    /// The columns that have files of segments.
    pub(crate) const WITH_SEGMENTS: [Column; 5] = [
        Column::Games,
        Column::Boards,
        Column::Postings,
        Column::Tags,
        Column::Small,
    ];

    /// The columns that have a file of a segment.
    pub(crate) const fn with_files(layout: Layout) -> &'static [Column] {
        match layout {
            Layout::Columns => &Column::OF_SEGMENTS,
            Layout::OneFile => &[Column::Small],
        }
    }

    /// The name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Column::Meta => "meta",
            Column::Games => "games",
            Column::Boards => "boards",
            Column::Postings => "postings",
            Column::Tags => "tags",
            Column::Small => "small",
        }
    }

    /// The name of the column family. Small segments are in the one that every RocksDB has.
    pub(crate) const fn family(self) -> &'static str {
        match self {
            Column::Small => rocksdb::DEFAULT_COLUMN_FAMILY_NAME,
            _ => self.name(),
        }
    }

    /// The number in the keys of small segments.
    pub(crate) const fn number(self) -> u8 {
        self as u8
    }

    /// The column with its options, for opening a database.
    pub(crate) fn descriptor(self) -> ColumnFamilyDescriptor {
        ColumnFamilyDescriptor::new(self.family(), column_options())
    }
}

/// The options of a column, and of the files that are written for it. They are made once and copied: new options come
/// with a cache of their own, which takes longer to make than a small file takes to write.
pub(crate) fn column_options() -> Options {
    static OPTIONS: OnceLock<Options> = OnceLock::new();
    OPTIONS.get_or_init(new_column_options).clone()
}

fn new_column_options() -> Options {
    let mut options = Options::default();
    // We compress the values; RocksDB could not make them smaller.
    options.set_compression_type(DBCompressionType::None);
    // Segments never overlap and are never overwritten, so compaction would gain nothing.
    options.set_disable_auto_compactions(true);
    let mut table = BlockBasedOptions::default();
    // Values are larger than blocks. We cache unpacked posting lists; the page cache of the system has the rest.
    table.disable_cache();
    table.set_format_version(5);
    options.set_block_based_table_factory(&table);
    options
}

/// The options of the database.
pub(crate) fn database_options() -> Options {
    let mut options = Options::default();
    // Reading a database should not leave files with messages in it. What matters is returned as an error.
    options.set_info_logger(InfoLogger::new_callback_logger(LogLevel::Fatal, |_, _| {}));
    options.set_stats_dump_period_sec(0);
    options.set_stats_persist_period_sec(0);
    // By default sixteen threads open the files. For a few small files they cost more than they save.
    options.set_max_file_opening_threads(1);
    // The list of files grows by a kilobyte a commit, and all of it is read when the database is opened. From this size
    // on, RocksDB begins a new list if that is much smaller.
    options.set_max_manifest_file_size(1 << 17);
    // By default each list begins with space for four megabytes.
    options.set_manifest_preallocation_size(1 << 16);
    // A damaged file is found when it is read. It must not prevent the use of the others.
    options.set_paranoid_checks(false);
    // Opening must not read every file.
    options.set_skip_stats_update_on_db_open(true);
    options
}
