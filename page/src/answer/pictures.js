// Pictures of an answer, made from counts that the program gives.

import { get, isAbort } from '../api/client.js'
import { fill, h } from '../ui/dom.js'
import { counted, number, score } from '../ui/words.js'
import { columns, groups, heatMap, rows } from './charts.js'

/** @typedef {import('../api/types.js').Counts} Counts */
/** @typedef {import('../api/types.js').Squares} Squares */
/** @typedef {import('./charts.js').Bar} Bar */

/** @param {Counts} counts @param {number} most @param {number} [least] @returns {Bar[]} */
function ordered(counts, most, least) {
  const values = counts.buckets.map((bucket) => ({ from: Number(bucket.key), value: bucket.positions, base: bucket.games }))
    .sort((one, other) => one.from - other.from)
  return groups(values, most, least).map(({ from, to, value, base }) => ({ label: String(Math.max(from, 1)), value,
    title: `${from === to ? from : `${from} to ${to}`}: ${counted(value, 'position')} in ${counted(base, 'game')}` }))
}

/** The largest first. @param {Counts} counts @param {number} most @returns {Bar[]} */
function largest(counts, most) {
  return [...counts.buckets].sort((one, other) => other.positions - one.positions).slice(0, most).map((bucket) => ({
    label: bucket.key, value: bucket.positions, share: counts.counted ? bucket.positions / counts.counted : 0,
    title: `${bucket.key}: ${counted(bucket.positions, 'position')} in ${counted(bucket.games, 'game')}${
      bucket.databaseGames === undefined ? '' : `, of ${number(bucket.databaseGames)} in the database`}` }))
}

/** What is said if the time did not do for all. @param {number} counted @param {number} all */
const part = (counted, all) => `Counted in ${number(counted)} of ${number(all)} positions, in games from the whole database.`

/** @type {[string, string, (counts: Counts) => HTMLElement|null][]} */
const PICTURES = [
  ['year', 'By year', (counts) => columns('By year', ordered(counts, 36), 'Positions')],
  ['move', 'By move number', (counts) => columns('By move number', ordered(counts, 40), 'Positions')],
  ['result', 'By result', (counts) => rows('By result', largest(counts, 4).map((bar) => ({ ...bar, label: score(bar.label) })), 'Positions')],
  ['opening', 'By opening', (counts) => rows('By opening (ECO)', largest(counts, 8), 'Positions')],
  ['rating', 'By rating', (counts) => columns('By mean rating', ordered(counts, 24, 100), 'Positions')],
]

export class Pictures {
  /** @param {() => string} set  a set of the question, for the heat map */
  constructor(set) {
    this.set = set
    this.id = ''
    this.positions = 0
    /** @type {AbortController|null} */
    this.running = null
    this.charts = h('div', { class: 'charts' })
    this.input = h('input', { type: 'text', class: 'code', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
      'aria-label': 'A set of squares, such as N or n attacks K' })
    this.heat = h('div', { class: 'heat-place', 'aria-live': 'polite' })
    this.element = h('div', { class: 'pictures' }, this.charts,
      h('form', { class: 'line heat-form', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); this.#heat() } },
        h('label', {}, 'Where is ', this.input, ' ?'), h('button', { type: 'submit' }, 'Show')), this.heat)
    this.touched = false
    this.input.addEventListener('input', () => { this.touched = true })
  }

  /** @param {string|null} id  of an answer that has ended @param {number} positions  that it has */
  show(id, positions) {
    if (!id || id === this.id) return
    this.positions = positions
    this.id = id
    this.running?.abort()
    this.running = new AbortController()
    if (!this.touched || !this.input.value) this.input.value = this.set()
    const places = PICTURES.map(() => h('div', { class: 'chart-place' }))
    fill(this.charts, ...places)
    PICTURES.forEach((picture, at) => this.#chart(picture, places[at], /** @type {AbortController} */ (this.running).signal))
    this.#heat()
  }

  /** @param {typeof PICTURES[number]} picture @param {HTMLElement} place @param {AbortSignal} signal */
  async #chart([by, words, draw], place, signal) {
    try {
      /** @type {Counts} */
      const counts = await get(`answers/${this.id}/counts`, { by }, signal)
      const { positions } = counts.unknown
      if (!counts.buckets.length) {
        fill(place, h('figure', { class: 'chart' }, h('figcaption', {}, words), h('p', { class: 'more' }, 'not known for these games')))
        return
      }
      fill(place, draw(counts), positions > 0 && h('p', { class: 'more' }, `not known: ${number(positions)}`),
        !counts.complete && h('p', { class: 'more' }, part(counts.counted, counts.positions)))
    } catch (error) {
      if (!isAbort(error)) fill(place, h('p', { class: 'failed' }, error instanceof Error ? error.message : String(error)))
    }
  }

  async #heat() {
    const set = this.input.value.trim()
    if (!set || !this.id) return
    try {
      /** @type {Squares} */
      const squares = await get(`answers/${this.id}/squares`, { set }, this.running?.signal)
      fill(this.heat, heatMap(`Where ${set} is, in ${counted(squares.positions, 'position')}`, squares.counts, squares.positions),
        !squares.complete && h('p', { class: 'more' }, part(squares.positions, this.positions)))
    } catch (error) {
      if (!isAbort(error)) fill(this.heat, h('p', { class: 'failed' }, error instanceof Error ? error.message : String(error)))
    }
  }
}
