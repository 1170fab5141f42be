// The games of an answer as a table.

import { h } from '../ui/dom.js'
import { number, score } from '../ui/words.js'
import { VirtualList } from './virtual.js'

/** @typedef {import('./answer.js').Answer} Answer */
/** @typedef {import('../api/types.js').GameRow} GameRow */

/** Name, heading, order that a press on the heading gives, and the text of a cell. */
/** @type {[string, string, string, (row: GameRow) => string][]} */
const COLUMNS = [
  ['number', 'Game', 'found', (row) => number(row.game)],
  ['white', 'White', 'white', (row) => row.white],
  ['black', 'Black', 'black', (row) => row.black],
  ['ratings', 'Ratings', '-rating', (row) => [row.whiteRating, row.blackRating].map((rating) => rating ?? '–').join(' / ')],
  ['year', 'Year', 'year', (row) => String(row.year ?? '')],
  ['result', 'Result', '', (row) => score(row.result)],
  ['eco', 'ECO', '', (row) => row.eco ?? ''],
  ['event', 'Event', '', (row) => row.event],
  ['matches', 'Matches', 'matches', (row) => number(row.matches)],
]

/** The column with the link to the game. */
const LINK = 1

export class Table {
  /** @param {(row: GameRow) => string} link @param {(order: string) => void} sort */
  constructor(link, sort) {
    this.link = link
    /** @type {Answer|null} */
    this.answer = null
    this.headings = COLUMNS.map(([name, words, order]) => h('span', { role: 'columnheader', class: `cell ${name}` },
      order ? h('button', { type: 'button', class: 'heading', title: `Sort by ${words.toLowerCase()}`,
        onclick: () => sort(this.#next(order)) }, words) : words))
    this.list = new VirtualList({
      measure: (width) => ({ columns: 1, height: width < 620 ? 52 : 36, gap: 0 }),
      make: () => h('div', { class: 'row', role: 'row' }, COLUMNS.map(([name], at) =>
        h('span', { class: `cell ${name}`, role: 'cell' }, at === LINK && h('a', {})))),
      draw: (element, index) => this.#draw(element, index),
      want: (from, to) => this.answer?.rows.want(from, Math.min(to, this.answer.games)),
    }, { role: 'rowgroup' })
    this.element = h('div', { class: 'table', role: 'table', 'aria-label': 'Games' },
      h('div', { role: 'rowgroup' }, h('div', { class: 'row head', role: 'row' }, this.headings)), this.list.element)
    this.element.addEventListener('click', (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest('.row:not(.head)')
      if (row && !(event.target instanceof HTMLAnchorElement)) row.querySelector('a')?.click()
    })
  }

  /** The other way round if it is this order already. @param {string} order */
  #next(order) {
    const now = this.answer?.order
    if (order === 'year' || order === '-rating') {
      const other = order.startsWith('-') ? order.slice(1) : `-${order}`
      return now === order ? other : order
    }
    return now === order ? 'found' : order
  }

  /** @param {Answer} answer */
  show(answer) {
    this.answer = answer
    this.element.setAttribute('aria-rowcount', String(answer.games + 1))
    this.headings.forEach((heading, at) => {
      const order = COLUMNS[at][2].replace('-', '')
      const sorted = order !== 'found' && answer.order.replace('-', '') === order
      if (sorted) heading.setAttribute('aria-sort', answer.order.startsWith('-') || order === 'matches' ? 'descending' : 'ascending')
      else heading.removeAttribute('aria-sort')
    })
    this.list.show(answer.hasPages ? answer.games : 0)
  }

  /** @param {HTMLElement} element @param {number} index */
  #draw(element, index) {
    const row = this.answer?.rows.items.get(index)
    element.setAttribute('aria-rowindex', String(index + 2))
    element.classList.toggle('odd', index % 2 === 1)
    COLUMNS.forEach(([, , , text], at) => {
      const cell = element.children[at]
      const target = at === LINK ? /** @type {HTMLAnchorElement} */ (cell.firstElementChild) : cell
      target.textContent = row ? text(row) : ''
      if (at !== LINK) return
      const link = /** @type {HTMLAnchorElement} */ (target)
      if (row) { link.href = this.link(row); link.setAttribute('aria-label', `${row.white} – ${row.black}, game ${row.game}`) }
      else { link.removeAttribute('href'); link.removeAttribute('aria-label') }
    })
  }
}
