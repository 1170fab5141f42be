// What a question says about the position as a whole, and about the game.

import { h } from '../ui/dom.js'
import { offerNames } from './names.js'

/** @typedef {import('../query/pattern.js').Pattern} Pattern */
/** @typedef {import('../query/pattern.js').GameConditions} GameConditions */

let ids = 0
const nextId = () => `condition-${++ids}`

/** @param {string} label @param {[string, string][]} options @param {(value: string) => void} changed */
function choice(label, options, changed) {
  const id = nextId()
  const select = h('select', { id, onchange: () => changed(select.value) },
    ...options.map(([value, words]) => h('option', { value }, words)))
  return { select, element: h('div', { class: 'field' }, h('label', { for: id }, label), select) }
}

/** @param {string} label @param {Record<string, string>} attributes @param {(value: string) => void} changed */
function field(label, attributes, changed) {
  const id = nextId()
  const input = h('input', { id, ...attributes, oninput: () => changed(input.value.trim()) })
  return { input, element: h('div', { class: 'field' }, h('label', { for: id }, label), input) }
}

/** @param {string} text */
const numberOf = (text) => (/^\d{1,4}$/.test(text) ? Number(text) : null)

export class Conditions {
  /** @param {(change: (pattern: Pattern) => Pattern) => void} change @param {() => string} database */
  constructor(change, database) {
    const set = (/** @type {Partial<Pattern>} */ part) => change((pattern) => ({ ...pattern, ...part }))
    const game = (/** @type {Partial<GameConditions>} */ part) =>
      change((pattern) => ({ ...pattern, game: { ...pattern.game, ...part } }))
    this.toMove = choice('To move', [['', 'either'], ['white', 'White'], ['black', 'Black']],
      (value) => set({ toMove: /** @type {Pattern['toMove']} */ (value) }))
    this.state = choice('Position', [['', 'any'], ['check', 'check'], ['mate', 'mate'], ['stalemate', 'stalemate']],
      (value) => set({ state: /** @type {Pattern['state']} */ (value) }))
    this.mirror = choice('Mirror', [['', 'no'], ['vertical', 'left–right'], ['all', 'all eight']],
      (value) => set({ mirror: /** @type {Pattern['mirror']} */ (value) }))
    const tick = (/** @type {string} */ label, /** @type {string} */ title, /** @type {(on: boolean) => void} */ changed) => {
      const input = h('input', { type: 'checkbox', onchange: () => changed(input.checked) })
      return { input, element: h('label', { class: 'tick', title }, input, label) }
    }
    this.shift = tick('Shifted anywhere', 'Also where the men stand together elsewhere on the board', (on) => set({ shift: on }))
    this.eitherColor = tick('Either color', 'Also with the colors changed', (on) => set({ eitherColor: on }))
    this.player = field('Player', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'part of the name' },
      (value) => game({ player: value.replaceAll('"', '') }))
    this.player.element.append(offerNames(this.player.input, 'player', database))
    this.playerColor = choice('with', [['', 'either color'], ['white', 'White'], ['black', 'Black']],
      (value) => game({ playerColor: /** @type {GameConditions['playerColor']} */ (value) }))
    const year = { type: 'text', inputmode: 'numeric', maxlength: '4', size: '5', autocomplete: 'off' }
    this.yearFrom = field('From year', year, (value) => game({ yearFrom: numberOf(value) }))
    this.yearTo = field('to year', year, (value) => game({ yearTo: numberOf(value) }))
    this.rating = field('Rating at least', year, (value) => game({ rating: numberOf(value) }))
    this.opening = field('Opening (ECO)', { type: 'text', maxlength: '3', size: '5', autocomplete: 'off', placeholder: 'B90' },
      (value) => game({ opening: value.replace(/[^A-Za-z0-9]/g, '').toUpperCase() }))
    this.opening.element.append(offerNames(this.opening.input, 'eco', database))
    this.result = choice('Result', [['', 'any'], ['1-0', '1–0'], ['0-1', '0–1'], ['1/2-1/2', '½–½']],
      (value) => game({ result: /** @type {GameConditions['result']} */ (value) }))
    this.games = h('details', {}, h('summary', {}, 'Players, years, rating, result, opening'),
      h('div', { class: 'fields' }, this.player.element, this.playerColor.element, this.yearFrom.element,
        this.yearTo.element, this.rating.element, this.result.element, this.opening.element))
    this.element = h('div', { class: 'conditions' },
      h('div', { class: 'fields three' }, this.toMove.element, this.state.element, this.mirror.element),
      h('div', { class: 'ticks' }, this.shift.element, this.eitherColor.element),
      this.games)
  }

  /** @param {Pattern} pattern */
  show(pattern) {
    this.toMove.select.value = pattern.toMove
    this.state.select.value = pattern.state
    this.mirror.select.value = pattern.mirror
    this.shift.input.checked = pattern.shift
    this.eitherColor.input.checked = pattern.eitherColor
    const { game } = pattern
    this.playerColor.select.value = game.playerColor
    this.result.select.value = game.result
    write(this.player.input, game.player)
    write(this.yearFrom.input, game.yearFrom)
    write(this.yearTo.input, game.yearTo)
    write(this.rating.input, game.rating)
    write(this.opening.input, game.opening)
    if (game.player || game.yearFrom || game.yearTo || game.rating || game.result || game.opening) this.games.open = true
  }
}

/** Leaves a field alone in which someone types. @param {HTMLInputElement} input @param {string|number|null} value */
function write(input, value) {
  if (document.activeElement !== input) input.value = String(value ?? '')
}
