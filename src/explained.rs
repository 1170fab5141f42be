//! The explanation of a query as one JSON object. The fields are a contract: fields may be added, but never changed or
//! removed.

use cqldex::format::{milliseconds, rounded};
use cqldex::{Explanation, IndexUse, KeptSegments, PlanLine, PlanStage, StageSummary, Summary};
use serde_json::{Value, json};

/// What the index does for a filter, in a word or two.
pub(crate) fn share_name(share: IndexUse) -> &'static str {
    match share {
        IndexUse::Exact => "exact",
        IndexUse::AtMost => "at most",
        IndexUse::Unused => "nothing",
        IndexUse::Blocked => "behind",
    }
}

/// The explanation, without how long the database took to open.
pub(crate) fn json(page: &Explanation) -> Value {
    let transforms: Vec<Value> = page
        .transforms
        .iter()
        .map(|used| json!({ "text": used.text, "maps": used.maps, "variants": used.variants }))
        .collect();
    let filters: Vec<Value> = page
        .shares
        .iter()
        .map(|(text, share)| json!({ "text": text, "index": share_name(*share) }))
        .collect();
    json!({
        "type": "explanation",
        "filters": page.filter_count,
        "filtersExpanded": page.expanded_count,
        "tree": page.filters,
        "transforms": transforms,
        "exact": page.is_exact && page.games_apart == 0,
        "gamesApart": page.games_apart,
        "parts": filters,
        "countedApart": page.counted_apart,
        "plan": page.plan.as_ref().map(line_json),
        "stages": page.stages.iter().map(expected_json).collect::<Vec<_>>(),
        "parseMs": milliseconds(page.parsing),
        "expandMs": milliseconds(page.expanding),
        "planMs": milliseconds(page.planning),
        "kept": page.kept.map(kept_json),
        "runs": page.runs.as_ref().map(|runs| runs.each_ref().map(run_json)),
    })
}

fn kept_json(KeptSegments { whole, partly, all }: KeptSegments) -> Value {
    json!({ "segments": all, "whole": whole, "partly": partly })
}

fn line_json(line: &PlanLine) -> Value {
    json!({
        "text": line.text,
        "expected": line.expected,
        "expectedMs": milliseconds(line.expected_time),
        "actual": line.actual.map(|(count, _)| count),
        "actualMs": line.actual.map(|(_, time)| milliseconds(time)),
        "children": line.children.iter().map(line_json).collect::<Vec<_>>(),
        "hidden": line.hidden,
    })
}

fn expected_json(stage: &PlanStage) -> Value {
    json!({ "expected": stage.expected, "leftOutUpTo": stage.left_out_up_to })
}

fn stage_json(stage: &StageSummary) -> Value {
    json!({
        "expected": rounded(stage.expected),
        "left": stage.left,
        "leftOut": stage.left_out,
        "byBoards": stage.by_boards,
        "indexMs": milliseconds(stage.sweeping),
        "bytesRead": stage.bytes_read,
    })
}

fn run_json(run: &Summary) -> Value {
    json!({
        "games": run.games,
        "positions": run.positions,
        "gamesSearched": run.games_searched,
        "positionsSearched": run.positions_searched,
        "candidates": run.candidates,
        "evaluated": run.evaluated,
        "evaluatedForLater": run.for_later,
        "forLaterMs": milliseconds(run.finding_for_later),
        "elapsedMs": milliseconds(run.elapsed),
        "indexMs": milliseconds(run.sweeping),
        "evaluatorMs": milliseconds(run.evaluating),
        "bytesRead": run.bytes_read,
        "stages": run.stages.iter().map(stage_json).collect::<Vec<_>>(),
    })
}
