// The 64 squares above a board as a grid that keys and screen readers can use, and that turns pointers into squares.

import { FILES, SQUARES } from '../query/pattern.js'
import { h } from '../ui/dom.js'

/**
 * @typedef {Object} Listeners
 * @property {(square: string, event: KeyboardEvent) => void} key    any key but those that move on the board
 * @property {(square: string, event: PointerEvent) => void} down
 * @property {(square: string|null) => void} over  while the pointer is held; null beside the board
 * @property {(square: string|null) => void} up
 */

export class Squares {
  /** @param {string} label @param {Listeners} listeners */
  constructor(label, listeners) {
    this.listeners = listeners
    this.flipped = false
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map()
    this.element = h('div', { class: 'squares', role: 'grid', 'aria-label': label })
    for (const square of SQUARES) {
      this.cells.set(square, h('div', { role: 'gridcell', class: 'square', tabindex: '-1', 'data-square': square }))
    }
    this.current = 'e4'
    this.arrange()
    this.element.addEventListener('keydown', (event) => this.#key(event))
    this.element.addEventListener('focusin', (event) => this.#enter(event))
    this.element.addEventListener('pointerdown', (event) => this.start(event))
  }

  /** Puts the squares in rows, as seen from White or, if flipped, from Black. */
  arrange() {
    const order = this.flipped ? [...SQUARES].reverse() : SQUARES
    const rows = Array.from({ length: 8 }, (_, row) => h('div', { role: 'row', class: 'rank' },
      order.slice(row * 8, row * 8 + 8).map((square) => this.cells.get(square) ?? '')))
    this.element.replaceChildren(...rows)
    this.cells.get(this.current)?.setAttribute('tabindex', '0')
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    this.flipped = flipped
    this.arrange()
  }

  /** Says what is on a square. @param {string} square @param {string} words */
  label(square, words) {
    this.cells.get(square)?.setAttribute('aria-label', `${square}, ${words}`)
  }

  /** @param {string} square */
  focus(square) {
    this.cells.get(this.current)?.setAttribute('tabindex', '-1')
    this.current = square
    const cell = this.cells.get(square)
    cell?.setAttribute('tabindex', '0')
    cell?.focus()
  }

  /** @param {FocusEvent} event */
  #enter(event) {
    const square = /** @type {HTMLElement} */ (event.target).dataset.square
    if (!square || square === this.current) return
    this.cells.get(this.current)?.setAttribute('tabindex', '-1')
    this.current = square
    this.cells.get(square)?.setAttribute('tabindex', '0')
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const step = STEPS[event.key]
    if (!step || event.altKey || event.ctrlKey || event.metaKey) {
      this.listeners.key(this.current, event)
      return
    }
    event.preventDefault()
    const sign = this.flipped ? -1 : 1
    const file = FILES.indexOf(this.current[0]) + sign * step[0]
    const rank = Number(this.current[1]) + sign * step[1]
    if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) this.focus(FILES[file] + rank)
  }

  /** The square at a point of the window. @param {number} x @param {number} y @returns {string|null} */
  at(x, y) {
    const box = this.element.getBoundingClientRect()
    const file = Math.floor(((x - box.left) * 8) / box.width)
    const row = Math.floor(((y - box.top) * 8) / box.height)
    if (file < 0 || file > 7 || row < 0 || row > 7) return null
    return this.flipped ? FILES[7 - file] + (row + 1) : FILES[file] + (8 - row)
  }

  /** Follows a pointer that was pressed on the board. @param {PointerEvent} event */
  start(event) {
    const square = this.at(event.clientX, event.clientY)
    if (!square) return
    event.preventDefault()
    this.element.setPointerCapture(event.pointerId)
    const move = (/** @type {PointerEvent} */ e) => this.listeners.over(this.at(e.clientX, e.clientY))
    const end = (/** @type {PointerEvent} */ e) => {
      this.element.removeEventListener('pointermove', move)
      this.element.removeEventListener('pointerup', end)
      this.element.removeEventListener('pointercancel', end)
      this.listeners.up(e.type === 'pointerup' ? this.at(e.clientX, e.clientY) : null)
    }
    this.element.addEventListener('pointermove', move)
    this.element.addEventListener('pointerup', end)
    this.element.addEventListener('pointercancel', end)
    this.listeners.down(square, event)
  }
}

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
