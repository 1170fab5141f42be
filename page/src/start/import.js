// Adds one file of games: sends it, and asks how far it is until all games are in.

import { Failure, get, isAbort, remove, upload } from '../api/client.js'

/** @typedef {import('../api/types.js').Import} Import */
/** @typedef {import('../api/types.js').Skipped} Skipped */

/** Between two questions how far it is, in milliseconds. */
const PAUSE = 250

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
    this.controller = new AbortController()
  }

  /** Done when the file is in, or failed. */
  async run() {
    const watching = this.#watch()
    try {
      const report = await upload(`imports/${this.id}`, { db: this.db, file: this.file.name }, this.file, this.controller.signal)
      await this.#rest(report)
    } catch (error) {
      this.failure = isAbort(error) ? 'stopped' : error instanceof Failure ? error.message : 'the connection broke before the file was there'
    }
    this.ended = true
    this.changed(this)
    await watching
  }

  stop() {
    remove(`imports/${this.id}`).catch(() => {})
    this.controller.abort()
  }

  async #watch() {
    while (!this.ended) {
      await new Promise((done) => setTimeout(done, PAUSE))
      if (this.ended) return
      try {
        this.#take(await get(`imports/${this.id}`, { skippedFrom: this.skipped.length }))
      } catch { /* It has not begun, or the answer of the upload says what is wrong. */ }
    }
  }

  /** @param {Import} report */
  async #rest(report) {
    this.#take(report)
    while (this.skipped.length < report.skippedTotal) {
      const more = await get(`imports/${this.id}`, { skippedFrom: this.skipped.length })
      if (!more.skipped.length) return
      this.#take(more)
    }
  }

  /** @param {Import} report */
  #take(report) {
    this.report = report
    const fresh = this.skipped.length - report.skippedFrom
    if (fresh >= 0) this.skipped.push(...report.skipped.slice(fresh))
    if (report.error) this.failure = report.error.message
    this.changed(this)
  }
}
