//! What `cqldex cql` prints on standard output: for people as CQL prints it, and for programs that show it, with
//! `-gui`, also between tags (docs/cql.md#options).

use std::io::{self, Write};
use std::time::Duration;

/// The name of the program.
pub(super) const VERSION: &str = concat!("cqldex ", env!("CARGO_PKG_VERSION"), " for CQL version 6.2");

/// Standard output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Console {
    /// Whether tags are printed.
    pub(super) gui: bool,
}

/// How a search went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report<'a> {
    pub(super) matches: u64,
    pub(super) games: u64,
    pub(super) elapsed: Duration,
    pub(super) threads: usize,
    /// The file with the games that match; empty for standard output.
    pub(super) output: &'a str,
}

impl Console {
    /// The first lines.
    pub(super) fn begin(self) -> io::Result<()> {
        println(VERSION)?;
        if self.gui {
            println("<CqlGuiVariable> version 6.2")?;
        }
        Ok(())
    }

    /// Messages of the query while it runs.
    pub(super) fn message(self, text: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text)?;
        out.write_all(b"\n")?;
        if self.gui {
            out.write_all(b"<CqlGuiMessage> ")?;
            out.write_all(text)?;
            out.write_all(b" </CqlGuiMessage>\n")?;
        }
        Ok(())
    }

    /// The games that match.
    pub(super) fn games(self, count: u64, pgn: &[u8]) -> io::Result<()> {
        let mut out = io::stdout().lock();
        writeln!(out, "\n<CqlGuiPgn numbergames={count} numberbytes={}>", pgn.len())?;
        out.write_all(pgn)?;
        out.write_all(b"</CqlGuiPgn>\n")
    }

    /// How the search went.
    pub(super) fn report(self, report: &Report<'_>) -> io::Result<()> {
        let Report {
            matches,
            games,
            elapsed,
            threads,
            output,
        } = *report;
        let seconds = elapsed.as_millis() as f64 / 1000.0;
        let plural = if threads == 1 { "" } else { "s" };
        println(&format!(
            "\n{matches} matches of {games} games in {seconds} seconds using {threads} thread{plural} to {output}"
        ))?;
        if self.gui {
            println(&format!(
                "\n<CqlGuiVariable> numbermatches {matches}\n<CqlGuiVariable> numbergamesexamined {games}\n\
                 <CqlGuiVariable> seconds {seconds}\n<CqlGuiVariable> numberthreads {threads}\n\
                 <CqlGuiVariable> outputfile {output}"
            ))?;
        }
        Ok(())
    }

    /// The value of a persistent variable at the end.
    pub(super) fn variable(self, name: &str, value: &str) -> io::Result<()> {
        println(&format!("{name}: {value}"))?;
        if self.gui {
            println(&format!("\n<CqlGuiMessage>{name}: {value}</CqlGuiMessage>"))?;
        }
        Ok(())
    }

    /// The last lines of a search.
    pub(super) fn end(self) -> io::Result<()> {
        if self.gui {
            println("\n<CqlGuiNormalExit>")
        } else {
            Ok(())
        }
    }

    /// Line and column of an error in a query, for a program.
    pub(super) fn error_place(self, (line, column): (usize, usize)) -> io::Result<()> {
        if self.gui {
            println(&format!(
                "\n<CqlGuiVariable> linenumbererror {line}\n<CqlGuiVariable> columnnumbererror {column}"
            ))?;
        }
        Ok(())
    }

    /// What went wrong, for a program; people read it on standard error.
    pub(super) fn error(self, text: &str) -> io::Result<()> {
        if self.gui {
            println(&format!("<CqlGuiError> {text} </CqlGuiError>"))?;
        }
        Ok(())
    }
}

fn println(text: &str) -> io::Result<()> {
    writeln!(io::stdout().lock(), "{text}")
}
