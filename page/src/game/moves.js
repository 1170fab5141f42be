// The moves of a game as text in which each move can be pressed.

import { fill, h } from '../ui/dom.js'
import { moveName, reading } from './lines.js'

/** @typedef {import('../api/types.js').Game} Game */

export class Moves {
  /** @param {(id: number) => void} go */
  constructor(go) {
    /** @type {Map<number, HTMLElement>} */
    this.buttons = new Map()
    this.current = -1
    this.element = h('div', { class: 'moves', role: 'group', 'aria-label': 'Moves',
      onclick: (/** @type {Event} */ event) => {
        const button = /** @type {HTMLElement} */ (event.target).closest('button')
        if (button?.dataset.id) go(Number(button.dataset.id))
      } })
  }

  /** @param {Game} game */
  show(game) {
    this.buttons.clear()
    this.current = -1
    const marked = new Set(game.matches?.map((match) => match.position))
    const button = (/** @type {number} */ id, /** @type {string} */ text) => {
      const name = moveName(game.positions, id)
      const element = h('button', { type: 'button', 'data-id': String(id), tabindex: '-1',
        class: marked.has(id) ? 'move match' : 'move', 'aria-label': marked.has(id) ? `${name}, match` : name }, text)
      this.buttons.set(id, element)
      return element
    }
    const line = h('p', { class: 'line' })
    let place = /** @type {HTMLElement} */ (line)
    line.append(button(0, marked.has(0) ? 'start ●' : 'start'), ' ')
    for (const piece of reading(game.positions)) {
      if (piece.kind === 'open') {
        const variation = h('span', { class: `variation depth-${Math.min(piece.depth, 4)}` })
        place.append(variation)
        place = variation
      } else if (piece.kind === 'close') place = /** @type {HTMLElement} */ (place.parentElement)
      else if (piece.kind === 'comment') place.append(h('span', { class: 'comment' }, piece.text), ' ')
      else {
        // The number and its move stay on one line.
        place.append(h('span', { class: 'ply' }, piece.number && h('span', { class: 'move-number' }, piece.number),
          button(piece.id, piece.san + (/^[!?]/.test(piece.glyphs) ? piece.glyphs : piece.glyphs && ` ${piece.glyphs}`))), ' ')
      }
    }
    fill(this.element, line, h('p', { class: 'result-line' }, game.header.result.replace('1/2-1/2', '½–½')))
  }

  /** Marks the position that is shown. @param {number} id */
  select(id) {
    const before = this.buttons.get(this.current)
    before?.removeAttribute('aria-current')
    before?.setAttribute('tabindex', '-1')
    this.current = id
    const button = this.buttons.get(id)
    if (!button) return
    button.setAttribute('aria-current', 'true')
    button.setAttribute('tabindex', '0')
    const [box, own] = [this.element.getBoundingClientRect(), button.getBoundingClientRect()]
    if (own.top < box.top + 20 || own.bottom > box.bottom - 20) this.element.scrollTop += own.top - box.top - box.height / 2
  }
}
