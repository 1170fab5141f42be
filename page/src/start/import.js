// Adds one file of games: sends it, and asks how far it is until all games are in.

import { Failure, get, isAbort, remove, upload } from '../api/client.js'
import { counted } from '../ui/words.js'

/** @typedef {import('../api/types.js').Import} Import */
/** @typedef {import('../api/types.js').Skipped} Skipped */

/** Between two questions how far it is, in milliseconds. */
const PAUSE = 250

/** How many questions may find no report after the connection broke: the program may be gone, or never have heard of the file. */
const MISSES = 12

/** What the request said when it failed. @param {unknown} error */
function broken(error) {
  if (isAbort(error)) return 'stopped'
  return error instanceof Failure ? error.message : 'the connection broke before the file was there'
}

/** Why games are missing, in the words of the program; `null` if all are in. @param {Import} report */
function reason({ state, error, summary }) {
  if (error) return error.message
  return state === 'cancelled' ? `stopped; ${counted(summary?.games ?? 0, 'game')} added` : null
}

export class Adding {
  /** @param {File} file @param {string} db @param {(adding: Adding) => void} changed */
  constructor(file, db, changed) {
    this.file = file
    this.db = db
    this.changed = changed
    this.id = crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)
    /** @type {Import|null} */
    this.report = null
    /** @type {Skipped[]} */
    this.skipped = []
    /** @type {string|null} */
    this.failure = null
    this.ended = false
    /** How many questions may still find no report; set when the request has failed. */
    this.misses = Infinity
    this.controller = new AbortController()
  }

  /**
   * Done when the file is in, or failed.
   *
   * The report of the program says how it ended. What the request says counts only where there is no report: a browser may
   * notice late that a connection broke, and it sends some requests a second time.
   */
  async run() {
    /** @type {unknown} */
    let error = null
    const watching = this.#watch()
    const sent = upload(`imports/${this.id}`, { db: this.db, file: this.file.name }, this.file, this.controller.signal)
      .catch((failure) => {
        error = failure
        this.misses = failure instanceof Failure || isAbort(failure) ? 1 : MISSES
        return watching
      })
    const report = await Promise.race([sent, watching])
    this.ended = true
    this.controller.abort()
    if (report) await this.#rest(report)
    this.failure = report ? reason(report) : broken(error)
    this.changed(this)
  }

  stop() {
    remove(`imports/${this.id}`).catch(() => {})
    this.controller.abort()
  }

  /** The report of the end; `null` if there is none to wait for. @returns {Promise<Import|null>} */
  async #watch() {
    while (!this.ended) {
      await new Promise((done) => setTimeout(done, PAUSE))
      try {
        const report = await get(`imports/${this.id}`, { skippedFrom: this.skipped.length })
        if (this.ended) return null
        this.#take(report)
        if (report.summary || report.error) return report
        // Another file is being added: this one was stopped before its turn.
        if (report.state === 'waiting' && this.controller.signal.aborted) return null
      } catch {
        this.misses -= 1
        if (this.misses <= 0) return null
      }
    }
    return null
  }

  /** Takes what a report says, and asks for what was left out beyond it. @param {Import} report */
  async #rest(report) {
    this.#take(report)
    try {
      while (this.skipped.length < report.skippedTotal) {
        const more = await get(`imports/${this.id}`, { skippedFrom: this.skipped.length })
        if (!more.skipped.length) return
        this.#take(more)
      }
    } catch { /* The list ends where the program no longer answers. */ }
  }

  /** @param {Import} report */
  #take(report) {
    this.report = report
    const fresh = this.skipped.length - report.skippedFrom
    if (fresh >= 0) this.skipped.push(...report.skipped.slice(fresh))
    this.changed(this)
  }
}
