// One game: the board at a position, the moves, the matches, and ways to take them elsewhere.

import { Chessground } from '@lichess-org/chessground'
import { address, get, isAbort } from '../api/client.js'
import { Squares } from '../board/squares.js'
import { flush } from '../memory/address-bar.js'
import { fromFen, SQUARES } from '../query/pattern.js'
import { copy } from '../ui/copy.js'
import { fill, h } from '../ui/dom.js'
import { icon } from '../ui/icons.js'
import { capitalized, menInWords, score } from '../ui/words.js'
import { endOf, moveName } from './lines.js'
import { analysisSites } from './links.js'
import { Moves } from './moves.js'

/** @typedef {import('../api/types.js').Game} Game */

/**
 * @typedef {Object} Around
 * @property {() => {db: string, answer: string|null}} asked
 * @property {(game: number, position: number) => void} moved   another position is shown
 * @property {() => void} closed
 * @property {(step: number) => boolean} neighbor  to another match of the answer; false if there is none
 * @property {(fen: string) => void} ask  for a position
 * @property {(words: string) => void} say
 */

export class GameView {
  /** @param {HTMLElement} host @param {Around} around */
  constructor(host, around) {
    this.around = around
    /** @type {Game|null} */
    this.game = null
    this.at = 0
    /** The answer whose matches are marked. @type {string|null} */
    this.marked = null
    this.title = h('h2', { id: 'game-title' })
    this.facts = h('p', { class: 'more' })
    const wrap = h('div', { class: 'cg-wrap' })
    this.squares = new Squares('Board of the game', { key: () => {}, down: () => {}, over: () => {}, up: () => {} })
    this.board = h('div', { class: 'board game-board' }, wrap, this.squares.element)
    this.moves = new Moves((id) => this.go(id))
    this.links = h('div', { class: 'links' })
    this.matches = h('span', { class: 'more' })
    const button = (/** @type {string} */ name, /** @type {string} */ drawing, /** @type {() => void} */ press) =>
      h('button', { type: 'button', class: 'tool', title: name, 'aria-label': name, onclick: press }, icon(drawing))
    this.dialog = h('dialog', { class: 'game', 'aria-labelledby': 'game-title' },
      h('header', {}, h('div', {}, this.title, this.facts), button('Close (Escape)', 'close', () => this.dialog.close())),
      h('div', { class: 'game-body' },
        h('div', { class: 'game-left' }, this.board,
          h('div', { class: 'game-buttons' },
            button('First position (Home)', 'first', () => this.go(0)),
            button('Back (left arrow)', 'back', () => this.step(-1)),
            button('Forth (right arrow)', 'forth', () => this.step(1)),
            button('Last position (End)', 'last', () => this.go(endOf(this.positions, this.at))),
            button('Turn the board', 'turn', () => this.turn()))),
        h('div', { class: 'game-right' },
          h('div', { class: 'line match-buttons' },
            h('button', { type: 'button', onclick: () => this.#match(-1) }, '↑ Match before'),
            h('button', { type: 'button', onclick: () => this.#match(1) }, '↓ Next match'), this.matches),
          this.moves.element, this.links)),
      h('div', { class: 'unseen live', role: 'status', 'aria-live': 'polite' }))
    host.append(this.dialog)
    this.dialog.addEventListener('close', () => { this.game = null; around.closed() })
    this.dialog.addEventListener('keydown', (event) => this.#key(event))
    this.dialog.addEventListener('click', (event) => { if (event.target === this.dialog) this.dialog.close() })
    /** @type {ReturnType<typeof Chessground>|null} */
    this.made = null
    /** Made when the dialog is open for the first time, because it measures itself. */
    this.ground = () => (this.made ??= Chessground(wrap, { viewOnly: true, animation: { duration: 150,
      enabled: !matchMedia('(prefers-reduced-motion: reduce)').matches }, coordinates: true, drawable: { enabled: false } }))
  }

  get positions() {
    return this.game?.positions ?? []
  }

  /** @param {number} number @param {number|null} position  null: the first match */
  async show(number, position) {
    if (this.game?.number === number && position !== null) { this.go(position); return }
    this.wanted?.abort()
    this.wanted = new AbortController()
    const { db, answer } = this.around.asked()
    try {
      /** @type {Game} */
      let game
      try {
        game = await get(`games/${number}`, { db, answer }, this.wanted.signal)
      } catch (error) {
        // The answer may be gone from the server; the game is still there.
        if (isAbort(error) || !answer) throw error
        game = await get(`games/${number}`, { db }, this.wanted.signal)
      }
      this.game = game
      this.marked = game.matches ? answer : null
      this.#header(game)
      this.moves.show(game)
      if (!this.dialog.open) this.dialog.showModal()
      this.go(position ?? game.matches?.[0]?.position ?? 0)
      this.moves.buttons.get(this.at)?.focus({ preventScroll: true })
      // The answer may have come while the game was on its way.
      this.mark(this.around.asked().answer)
    } catch (error) {
      if (isAbort(error)) return
      this.around.say(error instanceof Error ? error.message : String(error))
      this.around.closed()
    }
  }

  /** Marks the matches of an answer that came after the game. @param {string|null} answer */
  async mark(answer) {
    const { game } = this
    if (!game || !answer || this.marked === answer) return
    this.marked = answer
    try {
      const { matches } = await get(`games/${game.number}`, { db: this.around.asked().db, answer })
      if (this.game !== game) return
      game.matches = matches
      this.moves.show(game)
      this.go(this.at)
    } catch { /* The game is shown without them. */ }
  }

  close() {
    if (this.dialog.open) this.dialog.close()
  }

  /** @param {number} id */
  go(id) {
    const position = this.positions[id]
    if (!this.game || !position) return
    this.at = id
    const marks = this.game.matches?.find((match) => match.position === id)?.marks ?? []
    const last = position.from && position.to ? /** @type {any} */ ([position.from, position.to]) : undefined
    this.ground().set({ fen: position.fen, lastMove: last,
      highlight: { custom: /** @type {any} */ (new Map(marks.map((square) => [square, 'mark']))) } })
    const men = fromFen(position.fen)?.men ?? new Map()
    for (const square of SQUARES) this.squares.label(square, men.has(square) ? menInWords(men.get(square)) : 'empty')
    this.moves.select(id)
    this.#links(position.fen)
    const all = this.game.matches ?? []
    const place = all.findIndex((match) => match.position === id)
    this.matches.textContent = all.length === 0 ? '' : place >= 0 ? `match ${place + 1} of ${all.length} in this game`
      : `${all.length} in this game`
    this.around.say([moveName(this.positions, id), place >= 0 && 'match', position.comment].filter(Boolean).join(', '))
    this.around.moved(this.game.number, id)
  }

  /** @param {number} step */
  step(step) {
    const position = this.positions[this.at]
    const next = step < 0 ? position?.parent : position?.next
    if (next !== null && next !== undefined) this.go(next)
  }

  turn() {
    this.ground().toggleOrientation()
    this.squares.flip(!this.squares.flipped)
  }

  /** To the match before or behind, in this game and then in the answer. @param {number} step */
  #match(step) {
    const all = (this.game?.matches ?? []).map((match) => match.position)
    const next = step > 0 ? all.find((id) => id > this.at) : all.filter((id) => id < this.at).pop()
    if (next !== undefined) this.go(next)
    else if (!this.around.neighbor(step)) this.around.say('no more matches')
  }

  /** @param {Game} game */
  #header({ header, number }) {
    const name = (/** @type {string} */ player, /** @type {number|null} */ rating) => (rating ? `${player} (${rating})` : player)
    this.title.textContent = `${name(header.white, header.whiteRating)} – ${name(header.black, header.blackRating)}`
    const known = (/** @type {string|null} */ text) => (text && !/^[?.]*$/.test(text) ? text : null)
    this.facts.textContent = [score(header.result), known(header.event), known(header.site),
      known(header.date?.replace(/(\.\?\?)+$/, '')), header.eco, `game ${number}`].filter(Boolean).join(' · ')
  }

  /** @param {string} fen */
  #links(fen) {
    const game = /** @type {Game} */ (this.game)
    const pgn = address(`games/${game.number}.pgn`, { db: this.around.asked().db })
    const copied = (/** @type {string} */ what, /** @type {() => Promise<string>|string} */ text) =>
      h('button', { type: 'button', onclick: async () => {
        const done = await copy(text())
        const words = done ? `${capitalized(what)} copied` : 'the browser does not allow copying'
        this.around.say(words)
        this.matches.textContent = words
      } }, icon('copy'), `Copy ${what}`)
    fill(this.links,
      copied('FEN', () => fen), copied('PGN', async () => (await fetch(pgn)).text()), copied('link', () => { flush(); return location.href }),
      h('a', { class: 'button', href: pgn, download: `game-${game.number}.pgn` }, icon('download'), 'PGN file'),
      ...analysisSites(fen).map(({ name, href }) =>
        h('a', { class: 'button', href, target: '_blank', rel: 'noopener noreferrer' }, icon('out'), name)),
      h('button', { type: 'button', onclick: () => { this.dialog.close(); this.around.ask(fen) } }, 'Ask for this position'))
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || this.squares.element.contains(/** @type {Node} */ (event.target))) return
    const act = {
      ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), ArrowUp: () => this.#match(-1), ArrowDown: () => this.#match(1),
      Home: () => this.go(0), End: () => this.go(endOf(this.positions, this.at)), f: () => this.turn(),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
}
