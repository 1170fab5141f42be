// What the program sends, as described in its OpenAPI document.

/**
 * @typedef {Object} Diagnostic
 * @property {string} code @property {'error'|'warning'} severity @property {string} message
 * @property {number} from @property {number} to
 * @property {{from: number, to: number, text: string}} [label] @property {string} [help] @property {Fix[]} [fixes]
 *
 * @typedef {Object} Fix
 * @property {string} title @property {{from: number, to: number, text: string}[]} edits
 *
 * @typedef {Object} ErrorExplanation
 * @property {string} code @property {'error'|'warning'} severity @property {string} title @property {string} text
 * @property {string|null} wrong @property {string|null} condition @property {string|null} right
 *
 * @typedef {Object} ErrorBody
 * @property {string} code @property {string} message @property {Diagnostic[]} [diagnostics]
 *
 * @typedef {Object} Match
 * @property {number} index @property {number} game @property {number} position @property {number} ply
 * @property {string} fen @property {string|null} move @property {string|null} from @property {string|null} to
 * @property {boolean} variation @property {string} white @property {string} black
 * @property {number|null} whiteRating @property {number|null} blackRating @property {string} event
 * @property {number|null} year @property {string} result @property {string|null} eco
 * @property {string[]} [marks] @property {(string|null)[]} [sort]
 *
 * @typedef {Object} GameRow
 * @property {number} index @property {number} game @property {number} matches
 * @property {string} white @property {string} black @property {number|null} whiteRating
 * @property {number|null} blackRating @property {string} event @property {number|null} year
 * @property {string} result @property {string|null} eco
 *
 * @typedef {Object} Progress
 * @property {number} fraction @property {number} gamesDone @property {number} gamesTotal
 * @property {number} games @property {number} positions @property {number} elapsedMs
 *
 * @typedef {Object} Summary
 * @property {string} answer @property {number} games @property {number} positions @property {number} gamesSearched
 * @property {number} positionsSearched @property {number} candidates @property {number} evaluated
 * @property {number} held @property {number} keptGames @property {number} elapsedMs @property {number} waitedMs
 * @property {string[]} messages @property {{name: string, value: string}[]} persistent
 * @property {{name: string, games: number}[]} incompleteSets
 *
 * @typedef {{type: 'queued', place: number}
 *   | {type: 'started', answer: string, sorted: boolean, gamesTotal: number}
 *   | ({type: 'progress'} & Progress)
 *   | {type: 'matches', from: number, matches: Match[]}
 *   | ({type: 'summary'} & Summary)
 *   | {type: 'error', error: ErrorBody}} SearchEvent
 *
 * @typedef {Object} Form
 * @property {string} form @property {string} meaning @property {string} chapter @property {string} section
 *
 * @typedef {Object} Token
 * @property {number} from @property {number} to @property {string} class
 *
 * @typedef {Object} Completions
 * @property {number} from @property {number} to
 * @property {{label: string, kind: 'word'|'name'|'men'|'set'|'value', detail: string}[]} items
 *
 * @typedef {Object} Check
 * @property {boolean} ok @property {'cql6'|'cql5'|'cql1'} dialect @property {Diagnostic[]} diagnostics
 * @property {Token[]} tokens @property {boolean} sorted @property {boolean} files @property {string} kind
 * @property {{word: string, from: number, to: number, forms: Form[]}|null} [here] @property {Completions} [completions]
 *
 * @typedef {Object} Bucket
 * @property {string} key @property {number} games @property {number} positions @property {number} [databaseGames]
 *
 * @typedef {Object} Counts
 * @property {string} by @property {number} games @property {number} positions @property {boolean} complete
 * @property {number} counted @property {Bucket[]} buckets @property {{games: number, positions: number}} unknown
 *
 * @typedef {Object} Squares
 * @property {string} set @property {number} positions @property {boolean} complete @property {number[]} counts
 *
 * @typedef {Object} PlanLine
 * @property {string} text @property {number} expected @property {number} expectedMs @property {number|null} actual
 * @property {number|null} actualMs @property {PlanLine[]} children @property {number} hidden
 *
 * @typedef {Object} Run
 * @property {number} games @property {number} positions @property {number} candidates @property {number} evaluated
 * @property {number} positionsSearched @property {number} elapsedMs @property {number} indexMs @property {number} evaluatorMs
 *
 * @typedef {Object} Explanation
 * @property {string[]} tree @property {{text: string, maps: number, variants: number}[]} transforms
 * @property {boolean} exact @property {{text: string, index: string}[]} parts @property {PlanLine|null} plan
 * @property {number} parseMs @property {number} expandMs @property {number} planMs
 * @property {Run[]|null} runs
 *
 * @typedef {Object} Position
 * @property {number} id @property {number|null} parent @property {number|null} next @property {number[]} variations
 * @property {number} ply @property {number} depth @property {string} fen @property {'white'|'black'} turn
 * @property {number} moveNumber @property {string|null} san @property {string|null} from @property {string|null} to
 * @property {string} [comment] @property {string} [before] @property {number[]} [nags] @property {string[]} [glyphs]
 *
 * @typedef {Object} Game
 * @property {number} number
 * @property {{white: string, black: string, whiteRating: number|null, blackRating: number|null, event: string,
 *   site: string, date: string, year: number|null, result: string, eco: string|null}} header
 * @property {{name: string, value: string}[]} tags @property {Position[]} positions
 * @property {{position: number, marks: string[]}[]} [matches]
 *
 * @typedef {{name: string, games: number|null, bytes: number|null, problem: string|null}} DatabaseEntry
 * @typedef {{root: string|null, default: string|null, mayIndex: boolean, databases: DatabaseEntry[]}} Databases
 * @typedef {{database: string, games: number, positions: number, version: number}} Stats
 * @typedef {{name: string, games: number, positions: number, gamesMissing: number, live: string|null, damage: string|null}} NamedSet
 *
 * @typedef {{game: number, line: number, reason: string, kind: string, kept: boolean}} Skipped
 *
 * @typedef {Object} Import
 * @property {string} id @property {string} database @property {string} file
 * @property {'waiting'|'running'|'done'|'failed'|'cancelled'} state
 * @property {number} bytesDone @property {number|null} bytesTotal @property {number} games @property {number} positions
 * @property {number} committed @property {number} elapsedMs @property {Skipped[]} skipped
 * @property {number} skippedFrom @property {number} skippedTotal
 * @property {null|{games: number, positions: number, skippedGames: number, duplicates: number, knownGames: number,
 *   damagedGames: number, reasons: Record<string, number>, elapsedMs: number, cancelled: boolean}} summary
 * @property {ErrorBody|null} error
 */

export {}
