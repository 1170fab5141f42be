//! The list of questions that the benchmarks ask.

/// The questions, as they are written down.
const QUERIES: &str = include_str!("../queries.txt");

/// The groups of questions that look at more than one position of a game.
const ABOUT_GAMES: [&str; 6] = ["find", "line", "path", "moves", "echo", "legacy"];

/// One question.
pub(crate) struct Question {
    /// The heading that it stands under.
    pub(crate) group: &'static str,
    pub(crate) text: &'static str,
    /// The same for scoutfish, where that can ask it.
    #[allow(dead_code, reason = "only one of the benchmarks asks scoutfish")]
    pub(crate) scoutfish: Option<&'static str>,
}

impl Question {
    /// Whether it looks at moves or at several positions of a game; the others look at one position.
    pub(crate) fn is_about_games(&self) -> bool {
        ABOUT_GAMES.contains(&self.group)
    }
}

/// All questions, in order. A line `// scoutfish: {...}` belongs to the question before it.
pub(crate) fn questions() -> Vec<Question> {
    let mut questions: Vec<Question> = Vec::new();
    let mut group = "";
    for line in QUERIES.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let heading = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
        if let Some(json) = line.strip_prefix("// scoutfish:") {
            if let Some(last) = questions.last_mut() {
                last.scoutfish = Some(json.trim());
            }
        } else if let Some(name) = heading.filter(|name| is_group(name)) {
            group = name;
        } else if !line.starts_with("//") {
            questions.push(Question {
                group,
                text: line,
                scoutfish: None,
            });
        }
    }
    questions
}

/// Whether a bracketed line is a heading: queries begin with pieces in brackets, too.
fn is_group(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
}

/// A query in a cell of a table.
pub(crate) fn cell(text: &str) -> String {
    format!("`{}`", text.replace('|', "\\|"))
}
