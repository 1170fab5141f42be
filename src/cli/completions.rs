//! `cqldex completions`: has a shell complete what is typed after `cqldex`.

use std::io::{self, Write};

use clap::ValueEnum;
use clap_complete::env::Shells;

use crate::exit::{Done, Failure};

/// The variable with which the shell asks the program for what can follow.
pub(super) const VARIABLE: &str = "CQLDEX_COMPLETE";

/// The program's name on the command line.
pub(super) const PROGRAM: &str = "cqldex";

/// The shells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shell {
    /// Bash 4 or later
    Bash,
    /// Elvish
    Elvish,
    /// Fish
    Fish,
    /// PowerShell
    Powershell,
    /// Zsh
    Zsh,
}

/// Arguments of `cqldex completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cqldex completions bash > ~/.local/share/bash-completion/completions/cqldex
  cqldex completions zsh > ~/.zfunc/_cqldex
  cqldex completions fish > ~/.config/fish/completions/cqldex.fish

The script asks the program, so it also completes databases, themes, tags, columns and sets. For zsh, the folder has to be in \
`fpath` before `compinit` is called. The Debian package brings these scripts.")]
pub(super) struct Args {
    /// The shell
    #[arg(value_enum, ignore_case = true)]
    shell: Shell,
}

/// Prints the script.
pub(super) fn run(args: &Args) -> Result<Done, Failure> {
    let name = match args.shell {
        Shell::Bash => "bash",
        Shell::Elvish => "elvish",
        Shell::Fish => "fish",
        Shell::Powershell => "powershell",
        Shell::Zsh => "zsh",
    };
    let shells = Shells::builtins();
    let shell = shells
        .completer(name)
        .ok_or_else(|| Failure::message(format!("there are no completions for {name}")))?;
    let mut script = Vec::new();
    shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
    io::stdout().lock().write_all(&script)?;
    Ok(Done::Success)
}
