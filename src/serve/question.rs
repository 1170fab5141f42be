//! What a request asks: the text of a query and how it is searched.

use axum::http::StatusCode;
use cqldex::{Dialect, Query, QueryOptions, SearchOptions, Transform};
use serde::{Deserialize, Serialize};

use super::problem::Problem;

/// The longest text of a query, in bytes. The language has a limit of its own below it.
const LONGEST: usize = 400_000;

/// What is asked.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Question {
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) dialect: Named,
    #[serde(default)]
    pub(crate) variations: Option<bool>,
    #[serde(default)]
    transforms: Vec<String>,
    #[serde(default)]
    games: Vec<String>,
    #[serde(default)]
    within: Vec<String>,
    #[serde(default)]
    not_within: Vec<String>,
}

/// The name of a dialect.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Named {
    #[default]
    Auto,
    Cql6,
    Cql5,
    Cql1,
    Cqli,
}

impl From<Named> for Dialect {
    fn from(named: Named) -> Dialect {
        match named {
            Named::Auto => Dialect::Auto,
            Named::Cql6 => Dialect::Cql6,
            Named::Cql5 => Dialect::Cql5,
            Named::Cql1 => Dialect::Cql1,
            Named::Cqli => Dialect::Cqli,
        }
    }
}

impl Question {
    /// A text alone, in the dialect that it has.
    pub(crate) fn of(query: String) -> Question {
        Question {
            query,
            ..Question::default()
        }
    }

    /// Reads the query. One that works with files is refused.
    pub(crate) fn parse(&self) -> Result<Query, Problem> {
        let many = self.transforms.len() > 16 || self.games.len() > 32;
        if many || self.within.len() > 16 || self.not_within.len() > 16 || self.query.len() > LONGEST {
            let message = "the question is too large";
            return Err(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", message));
        }
        let transform = |word: &String| {
            let mut all = Transform::ALL.into_iter();
            let found = all.find(|transform| transform.keyword() == word.as_str());
            found.ok_or_else(|| Problem::bad_request(format!("there is no transform `{word}`")))
        };
        let options = QueryOptions {
            dialect: self.dialect.into(),
            transforms: self.transforms.iter().map(transform).collect::<Result<_, _>>()?,
            game_filters: self.games.clone(),
            ..QueryOptions::default()
        };
        let query = Query::parse_with(&self.query, &options)?;
        if query.uses_files() {
            let message = "a server reads and writes no files: `readfile`, `writefile` and `similarposition` work in the \
                           program `cqldex query`";
            return Err(Problem::forbidden("files-refused", message));
        }
        Ok(query)
    }

    /// The options of a search.
    pub(crate) fn options(&self) -> SearchOptions {
        SearchOptions {
            variations: self.variations,
            within: self.within.clone(),
            not_within: self.not_within.clone(),
            files: None,
            ..SearchOptions::default()
        }
    }
}
