// Asks questions, one at a time: a new one ends the one before.

import { Failure, isAbort, stream } from '../api/client.js'
import { Answer } from './answer.js'

/**
 * @typedef {Object} Question
 * @property {string} query
 * @property {string[]} within
 * @property {string[]} notWithin
 * @property {boolean} variations
 */

export class Search {
  /** @param {(answer: Answer) => void} changed @param {() => string} database @param {() => string} order */
  constructor(changed, database, order) {
    this.changed = changed
    this.database = database
    this.order = order
    this.page = crypto.randomUUID?.() ?? Math.random().toString(36).slice(2)
    /** @type {AbortController|null} */
    this.running = null
    /** @type {Answer|null} */
    this.answer = null
  }

  stop() {
    this.running?.abort()
    this.running = null
    this.answer?.stop()
  }

  /** @param {Question} question @returns {Promise<Answer>} the answer when it has ended */
  async ask(question) {
    this.stop()
    const controller = new AbortController()
    this.running = controller
    const answer = new Answer(() => { if (this.answer === answer) this.changed(answer) }, this.order())
    this.answer = answer
    this.changed(answer)
    const { query, within, notWithin, variations } = question
    const body = { query, within, notWithin, variations: variations || null, page: this.page, first: 60 }
    try {
      for await (const event of stream('search', { db: this.database() }, body, controller.signal)) answer.take(event)
      if (!answer.ended) answer.take({ type: 'error', error: { code: 'broken', message: 'the connection broke' } })
    } catch (error) {
      if (isAbort(error) || controller.signal.aborted) return answer
      answer.take({ type: 'error', error: error instanceof Failure
        ? { code: error.code, message: error.message, diagnostics: error.diagnostics }
        : { code: 'offline', message: 'the server does not answer' } })
    }
    return answer
  }
}
