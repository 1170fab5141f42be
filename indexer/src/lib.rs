//! Reads chess games.
