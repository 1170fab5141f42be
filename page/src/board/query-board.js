// The board on which a question is set up. It draws a pattern and tells what a gesture makes of it; it keeps nothing
// but the tool in hand.

import { Chessground } from '@lichess-org/chessground'
import { SQUARES, carry, place, placeEither } from '../query/pattern.js'
import { h } from '../ui/dom.js'
import { menInWords } from '../ui/words.js'
import { clear, drag, press } from './gestures.js'
import { asPiece, isLetter, lettersOf } from './men.js'
import { BRUSHES, shapesOf } from './shapes.js'
import { Squares } from './squares.js'
import { HAND, KEYS, drags } from './tools.js'

/** @typedef {import('../query/pattern.js').Pattern} Pattern */
/** @typedef {import('./tools.js').Tool} Tool */

export class QueryBoard {
  /**
   * @param {HTMLElement} place  in the page: the board measures itself
   * @param {Pattern} pattern
   * @param {(pattern: Pattern) => void} changed
   * @param {(words: string) => void} say  for screen readers
   */
  constructor(place, pattern, changed, say) {
    this.pattern = pattern
    this.changed = changed
    this.say = say
    /** @type {Tool} */
    this.tool = HAND
    this.either = false
    this.frozen = false
    /** Where a drag or an arrow of the keyboard began. @type {{square: string, tool: Tool}|null} */
    this.begun = null
    const host = h('div', { class: 'cg-wrap' })
    this.squares = new Squares('Board of the question', {
      key: (square, event) => this.#key(square, event),
      down: (square, event) => this.#down(square, event),
      over: (square) => this.#over(square),
      up: (square) => this.#up(square),
    })
    this.element = h('div', { class: 'board query-board', 'data-tool': 'hand' }, host, this.squares.element)
    place.append(this.element)
    this.element.addEventListener('contextmenu', (event) => event.preventDefault())
    // With the hand, the pointer goes to chessground; only the right button draws an arrow.
    this.element.addEventListener('pointerdown', (event) => {
      if (this.tool.kind === 'hand' && event.button === 2) this.squares.start(event)
    })
    this.ground = Chessground(host, {
      fen: '8/8/8/8/8/8/8/8', animation: { enabled: false }, disableContextMenu: true, coordinates: true,
      highlight: { lastMove: false, check: false }, addDimensionsCssVarsTo: this.element,
      movable: { free: true, color: 'both', showDests: false },
      draggable: { deleteOnDropOff: true, showGhost: true }, premovable: { enabled: false },
      drawable: { enabled: false, visible: true, brushes: /** @type {any} */ (BRUSHES) },
      events: {
        move: (from, to) => this.#change(carry(this.pattern, from, to)),
        dropNewPiece: (piece, to) => this.#dropped(lettersOf(piece), to),
        change: () => this.#droppedOff(),
      },
    })
    this.show(pattern)
  }

  /** Draws a pattern. @param {Pattern} pattern */
  show(pattern) {
    this.pattern = pattern
    this.frozen = false
    this.element.classList.remove('frozen')
    this.#draw(pattern.men)
    this.ground.set({ highlight: { custom: new Map() }, lastMove: undefined })
    this.ground.setAutoShapes(shapesOf(pattern))
  }

  /**
   * Shows a position that can't be changed.
   * @param {ReadonlyMap<string, string>|null} men  null: what stands there stays
   * @param {readonly string[]} marks
   */
  illustrate(men, marks) {
    this.frozen = true
    this.element.classList.add('frozen')
    if (men) this.#draw(men)
    this.ground.set({ highlight: { custom: /** @type {any} */ (new Map(marks.map((square) => [square, 'mark']))) } })
    this.ground.setAutoShapes([])
  }

  /** @param {Tool} tool */
  choose(tool) {
    this.tool = tool
    this.begun = null
    this.element.dataset.tool = tool.kind
  }

  turn() {
    this.ground.toggleOrientation()
    this.squares.flip(!this.squares.flipped)
  }

  /** Starts to drag a man from the palette. @param {string} letters @param {PointerEvent} event */
  bring(letters, event) {
    if (!this.frozen) this.ground.dragNewPiece(asPiece(letters), event, true)
  }

  /** @param {ReadonlyMap<string, string>} men */
  #draw(men) {
    const pieces = new Map()
    for (const square of SQUARES) {
      const letters = men.get(square)
      pieces.set(square, letters ? asPiece(letters) : undefined)
      this.squares.label(square, letters ? menInWords(letters) : 'nothing asked')
    }
    this.ground.state.pieces.delete('a0')
    this.ground.setPieces(pieces)
  }

  /** @param {Pattern} pattern */
  #change(pattern) {
    this.show(pattern)
    this.changed(pattern)
  }

  /** @param {string} letters @param {string} square */
  #dropped(letters, square) {
    this.#change(this.either ? placeEither(this.pattern, square, letters) : place(this.pattern, square, letters))
  }

  /** A man that was dragged beside the board is gone from chessground's pieces only. */
  #droppedOff() {
    const gone = [...this.pattern.men.keys()].filter((square) => !this.ground.state.pieces.has(/** @type {any} */ (square)))
    const there = [...this.ground.state.pieces.keys()].filter((square) => square !== 'a0')
    if (gone.length !== 1 || there.length !== this.pattern.men.size - 1) return
    queueMicrotask(() => { if (this.pattern.men.has(gone[0])) this.#change(clear(this.pattern, gone[0])) })
  }

  /** @param {string} square @param {PointerEvent} event */
  #down(square, event) {
    if (this.frozen) return
    const tool = event.button === 2 ? /** @type {Tool} */ ({ kind: 'attack' }) : this.tool
    this.begun = { square, tool }
    if (!drags(tool)) this.#change(press(this.pattern, tool, square, this.either || event.shiftKey))
  }

  /** @param {string|null} square */
  #over(square) {
    if (!this.begun || !drags(this.begun.tool) || !square) return
    const draft = square === this.begun.square ? [] : [{ orig: this.begun.square, dest: square, brush: 'draft' }]
    this.ground.setAutoShapes(/** @type {any} */ ([...shapesOf(this.pattern), ...draft]))
  }

  /** @param {string|null} square */
  #up(square) {
    const begun = this.begun
    this.begun = null
    if (!begun || !drags(begun.tool)) return
    if (!square) this.show(this.pattern)
    else if (square === begun.square) this.#change(press(this.pattern, begun.tool, square, false))
    else this.#change(drag(this.pattern, begun.tool, begun.square, square))
  }

  /** @param {string} square @param {KeyboardEvent} event */
  #key(square, event) {
    if (this.frozen || event.ctrlKey || event.metaKey) return
    const { key } = event
    if (isLetter(key)) this.#change(press(this.pattern, { kind: 'men', letters: key }, square, this.either || event.altKey))
    else if (key === 'Delete' || key === 'Backspace') this.#change(clear(this.pattern, square))
    else if (KEYS[key]) this.#begin(square, KEYS[key])
    else if (key === 'Escape' && this.begun) { this.begun = null; this.say('given up') }
    else if (key === 'Enter' || key === ' ') this.#enter(square)
    else return
    event.preventDefault()
    if (!this.begun) this.say(this.squares.cells.get(square)?.getAttribute('aria-label') ?? '')
  }

  /** @param {string} square @param {Tool} tool */
  #begin(square, tool) {
    this.begun = { square, tool }
    this.say(`${tool.kind} from ${square}: go to the other square and press Enter`)
  }

  /** @param {string} square */
  #enter(square) {
    if (this.begun) {
      const { tool, square: from } = this.begun
      this.begun = null
      this.#change(from === square ? press(this.pattern, tool, square, false) : drag(this.pattern, tool, from, square))
    } else if (drags(this.tool)) this.#begin(square, this.tool)
    else this.#change(press(this.pattern, this.tool, square, this.either))
  }
}
