// The answer to one question: what of it is here, and how to get the rest.

import { Failure, get, isAbort } from '../api/client.js'

/** @typedef {import('../api/types.js').Match} Match */
/** @typedef {import('../api/types.js').GameRow} GameRow */
/** @typedef {import('../api/types.js').Progress} Progress */
/** @typedef {import('../api/types.js').Summary} Summary */
/** @typedef {import('../api/types.js').ErrorBody} ErrorBody */

/** How many matches or rows are asked for at a time. */
const PAGE = 60

export class Answer {
  /** @param {() => void} changed  called when more is here @param {string} order */
  constructor(changed, order) {
    this.changed = changed
    /** @type {string|null} */
    this.id = null
    /** @type {'asked'|'queued'|'running'|'done'|'failed'} */
    this.state = 'asked'
    this.place = 0
    this.sorted = false
    /** @type {Progress|null} */
    this.progress = null
    /** @type {Summary|null} */
    this.summary = null
    /** @type {ErrorBody|null} */
    this.error = null
    this.order = order
    this.matches = new Pages((from, signal) => this.#matches(from, signal), () => this.changed())
    this.rows = new Pages((from, signal) => this.#rows(from, signal), () => this.changed())
  }

  /** How many positions match, as far as is known. */
  get positions() { return this.summary?.positions ?? this.progress?.positions ?? this.matches.known }

  get games() { return this.summary?.games ?? this.progress?.games ?? 0 }

  /** How many matches can be shown: while the search runs, those of the stream. */
  get held() { return this.summary?.held ?? this.matches.known }

  get ended() { return this.state === 'done' || this.state === 'failed' }

  /** @param {import('../api/types.js').SearchEvent} event */
  take(event) {
    if (event.type === 'queued') { this.state = 'queued'; this.place = event.place }
    else if (event.type === 'started') { this.state = 'running'; this.id = event.answer; this.sorted = event.sorted }
    else if (event.type === 'progress') this.progress = event
    else if (event.type === 'matches') this.#arrive(event.from, event.matches)
    else if (event.type === 'summary') { this.state = 'done'; this.summary = event; this.id = event.answer }
    else if (event.type === 'error') { this.state = 'failed'; this.error = event.error }
    this.changed()
  }

  /** The stream has the order in which they are found. @param {number} from @param {Match[]} matches */
  #arrive(from, matches) {
    if (this.order === 'found') this.matches.put(from, matches)
    else this.matches.known = Math.max(this.matches.known, from + matches.length)
  }

  /** Whether pages can be asked for: the server holds an answer from its end on. */
  get hasPages() { return this.state === 'done' }

  /** @param {string} order */
  sort(order) {
    if (order === this.order) return
    this.order = order
    this.matches.clear()
    this.rows.clear()
    this.changed()
  }

  /** @param {number} from @param {AbortSignal} signal @returns {Promise<Match[]>} */
  async #matches(from, signal) {
    if (!this.id || !this.hasPages) return []
    return (await get(`answers/${this.id}`, { from, count: PAGE, sort: this.order }, signal)).matches
  }

  /** @param {number} from @param {AbortSignal} signal @returns {Promise<GameRow[]>} */
  async #rows(from, signal) {
    if (!this.id || !this.hasPages) return []
    return (await get(`answers/${this.id}/games`, { from, count: PAGE, sort: this.order }, signal)).rows
  }

  stop() {
    this.matches.stop()
    this.rows.stop()
  }
}

/**
 * A long list of which pages are asked for when they are wanted. The newest wish comes first; wishes that are out of
 * sight are given up.
 * @template {{index: number}} T
 */
export class Pages {
  /**
   * @param {(from: number, signal: AbortSignal) => Promise<T[]>} load
   * @param {() => void} changed
   */
  constructor(load, changed) {
    this.load = load
    this.changed = changed
    /** @type {Map<number, T>} */
    this.items = new Map()
    /** @type {Map<number, AbortController>} */
    this.running = new Map()
    /** How many there are at least. */
    this.known = 0
    /** @type {Failure|null} */
    this.failure = null
  }

  /** @param {number} from @param {readonly T[]} items */
  put(from, items) {
    items.forEach((item, offset) => this.items.set(from + offset, item))
    this.known = Math.max(this.known, from + items.length)
  }

  clear() {
    this.stop()
    this.items.clear()
  }

  stop() {
    for (const controller of this.running.values()) controller.abort()
    this.running.clear()
  }

  /** Asks for what is missing between two places. @param {number} from @param {number} to */
  want(from, to) {
    /** @type {Set<number>} */
    const pages = new Set()
    for (let index = from; index < to; index += 1) {
      if (!this.items.has(index)) pages.add(index - (index % PAGE))
    }
    for (const [page, controller] of this.running) {
      if (page + PAGE < from || page > to) { controller.abort(); this.running.delete(page) }
    }
    for (const page of pages) if (!this.running.has(page)) this.#get(page)
  }

  /** @param {number} page */
  async #get(page) {
    const controller = new AbortController()
    this.running.set(page, controller)
    try {
      const items = await this.load(page, controller.signal)
      if (controller.signal.aborted) return
      this.put(page, items)
      this.running.delete(page)
      this.failure = null
      if (items.length) this.changed()
    } catch (error) {
      if (isAbort(error)) return
      // The page is asked for again when the list moves, but not at once.
      if (error instanceof Failure) this.failure = error
      setTimeout(() => this.running.delete(page), 1000)
      this.changed()
    }
  }
}
