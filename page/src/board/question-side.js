// The side of the page with the board: palette, squares, men anywhere, conditions.

import { EMPTY, fromFen, isEmpty } from '../query/pattern.js'
import { open } from '../ui/dialogs.js'
import { fill, h } from '../ui/dom.js'
import { icon } from '../ui/icons.js'
import { Conditions } from './conditions.js'
import { Elsewhere } from './elsewhere.js'
import { Palette } from './palette.js'
import { QueryBoard } from './query-board.js'

/** @typedef {import('../query/pattern.js').Pattern} Pattern */

export class QuestionSide {
  /**
   * @param {HTMLElement} host @param {(pattern: Pattern) => void} changed @param {(words: string) => void} say
   * @param {() => string} database
   */
  constructor(host, changed, say, database) {
    this.pattern = EMPTY
    this.noted = ''
    this.changed = changed
    const change = (/** @type {(pattern: Pattern) => Pattern} */ f) => this.#set(f(this.pattern))
    const place = h('div', {})
    host.append(place)
    this.board = new QueryBoard(place, EMPTY, (pattern) => this.#set(pattern), say)
    this.palette = new Palette((tool) => this.board.choose(tool), (either) => { this.board.either = either },
      (letters, event) => this.board.bring(letters, event))
    this.elsewhere = new Elsewhere(change, () => (this.board.tool.kind === 'men' ? this.board.tool.letters : ''))
    this.conditions = new Conditions(change, database)
    this.note = h('div', { class: 'board-note', hidden: true })
    this.clear = h('button', { type: 'button', class: 'quiet', onclick: () => this.#set(EMPTY) }, icon('clear'), 'Clear')
    const buttons = h('div', { class: 'board-buttons' },
      this.clear,
      h('button', { type: 'button', class: 'quiet', onclick: () => this.board.turn() }, icon('turn'), 'Turn'),
      h('button', { type: 'button', class: 'quiet', onclick: () => this.#paste() }, icon('copy'), 'From FEN'))
    this.tools = h('fieldset', { class: 'plain' }, h('legend', { class: 'unseen' }, 'Set up the question'),
      this.palette.element, this.elsewhere.element, this.conditions.element)
    host.append(this.note, buttons, this.tools)
    this.show(EMPTY)
  }

  /** @param {Pattern} pattern */
  #set(pattern) {
    this.show(pattern)
    this.changed(pattern)
  }

  /** Shows what the text asks for. @param {Pattern} pattern */
  show(pattern) {
    this.pattern = pattern
    this.board.show(pattern)
    this.elsewhere.show(pattern)
    this.conditions.show(pattern)
    this.tools.disabled = false
    this.note.hidden = true
    this.clear.disabled = isEmpty(pattern)
  }

  /**
   * Shows a match of a question that the board can't show.
   * @param {string|null} fen  null: the board stays as it is
   * @param {readonly string[]} marks
   * @param {string} words
   */
  illustrate(fen, marks, words) {
    this.pattern = EMPTY
    this.board.illustrate(fen ? fromFen(fen)?.men ?? null : null, marks)
    this.tools.disabled = true
    this.clear.disabled = false
    const key = `${fen} ${words}`
    if (!this.note.hidden && key === this.noted) return
    this.noted = key
    this.note.hidden = false
    fill(this.note, h('p', {}, words),
      h('button', { type: 'button', onclick: () => this.#set(EMPTY) }, 'Set up another'),
      fen && h('button', { type: 'button', onclick: () => this.#set({ ...EMPTY, men: fromFen(fen)?.men ?? new Map() }) },
        'Ask for this position'))
  }

  /** A position from its FEN. */
  #paste() {
    open('A position from its FEN', (body, close) => {
      const input = h('input', { type: 'text', class: 'code', spellcheck: 'false', autocomplete: 'off', 'aria-label': 'FEN' })
      const wrong = h('p', { class: 'failed', role: 'alert' })
      body.append(h('form', { class: 'stack', onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault()
        const pattern = fromFen(input.value)
        if (!pattern) { wrong.textContent = 'This is not a FEN.'; return }
        close()
        this.#set(pattern)
      } }, input, wrong, h('button', { type: 'submit', class: 'main' }, 'Put it on the board')))
    })
  }
}
