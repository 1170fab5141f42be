// The page as a whole: one place (question, view, game), and the parts that show it or change it.

import { Result } from './answer/result.js'
import { Search } from './answer/search.js'
import { Status, sentence } from './answer/status.js'
import { QuestionSide } from './board/question-side.js'
import { readTheme, ready } from './board/small.js'
import { TextSide } from './editor/text-side.js'
import { GameView } from './game/view.js'
import * as address from './memory/address.js'
import * as bar from './memory/address-bar.js'
import * as gallery from './memory/gallery.js'
import { remember } from './memory/history.js'
import { NamedSets } from './memory/sets.js'
import { fromFen } from './query/pattern.js'
import { print } from './query/print.js'
import { read } from './query/read.js'
import { hasSymbols, toSymbols } from './query/spelling.js'
import { byId, h } from './ui/dom.js'
import { say } from './ui/live.js'
import { peek } from './ui/peek.js'
import { number } from './ui/words.js'

/** @typedef {import('./memory/address.js').Place} Place */
/** @typedef {import('./answer/answer.js').Answer} Answer */

/** Said of text that has no picture. */
const MORE = 'This question says more than the board can.'

export class Page {
  constructor() {
    /** @type {Place} */
    this.place = address.START
    /** The answer that is on the screen; an older one stays until the new one has something. @type {Answer|null} */
    this.shown = null
    /** Where in the answer the open game was pressed. */
    this.index = -1
    /** The answer that is in the history. @type {Answer|null} */
    this.remembered = null
    /** Whether the board shows a match, because it can't show the question. */
    this.illustrated = false
    this.frame = 0
    const question = () => this.place
    this.search = new Search((answer) => this.#soon(answer), () => this.place.db, () => this.place.order)
    this.side = new QuestionSide(byId('question'), (pattern) => {
      const query = print(pattern)
      this.#ask({ query: hasSymbols(this.place.query) ? toSymbols(query) : query }, 'board')
    }, say, () => this.place.db)
    this.text = new TextSide(byId('text'), (change) => this.#ask(change, 'text'), () => this.#search(), () => this.place.db,
      () => this.sets.manage())
    this.status = new Status(byId('status'), say, () => this.#halt())
    this.peek = peek()
    this.gallery = h('div', { class: 'gallery-place' })
    this.result = new Result(byId('result'), {
      link: (game, position, index) => this.#link(game, position, index),
      view: (view) => this.go({ ...this.place, view }, 'replace'),
      order: (order) => this.go({ ...this.place, order }, 'replace'),
      set: () => this.#set(),
      save: () => this.sets.save(),
      asked: () => ({ question: question(), db: this.place.db }),
    })
    byId('result').append(this.gallery)
    this.game = new GameView(byId('dialogs'), {
      asked: () => ({ db: this.place.db, answer: this.shown?.hasPages ? this.shown.id : null }),
      moved: (game, position) => this.go({ ...this.place, game: { game, position } }, 'replace'),
      closed: () => this.#closed(),
      neighbor: (step) => this.#neighbor(step),
      ask: (fen) => this.go({ ...address.START, db: this.place.db, query: print({ .../** @type {any} */ (fromFen(fen)), toMove: '' }) }),
      say,
    })
    this.sets = new NamedSets({
      asked: () => ({ db: this.place.db, answer: this.shown?.hasPages ? this.shown.id : null }),
      offer: (sets) => { this.text.offer(sets, this.sets.mayChange, this.place); this.result.maySave = this.sets.mayChange },
      renamed: (from, to) => this.#renamed(from, to),
      say,
    })
    window.addEventListener('popstate', () => { bar.forget(); this.go(address.read(location.search), 'stay') })
    document.addEventListener('click', (event) => this.#click(event))
  }

  /**
   * Shows another place.
   * @param {Place} next @param {'push'|'replace'|'stay'} [how]  what becomes of the address
   */
  go(next, how = 'push') {
    const before = this.place
    this.place = next
    const search = address.write(next)
    if (how === 'push') bar.push(search)
    else if (how === 'replace') bar.replace(search)
    this.text.show(next)
    if (next.query !== before.query) this.#board(next.query)
    if (next.view !== this.result.view) this.result.choose(next.view)
    if (next.order !== before.order && this.shown?.ended) this.shown.sort(next.order)
    if (!sameQuestion(next, before)) this.#search()
    if (!next.game) this.game.close()
    else if (next.game.game !== before.game?.game || next.game.position !== before.game.position || how === 'stay') {
      this.game.show(next.game.game, next.game.position)
    }
  }

  /** Takes the first place from the address. */
  async start() {
    readTheme()
    await ready
    this.go(address.read(location.search), 'stay')
    if (!this.place.query.trim()) this.#rest()
    this.sets.load()
  }

  /** Asks the same question of a database that has grown. */
  again() {
    this.sets.load()
    if (this.place.query.trim()) this.#search()
  }

  /** Draws again what has the colors of the theme in it. */
  redraw() {
    readTheme()
    this.result.boards.repaint()
    if (this.shown) this.result.show(this.shown)
    if (!this.gallery.hidden) gallery.show(this.gallery, this.place.db)
  }

  /** @param {Partial<Place>} change @param {'board'|'text'} from */
  #ask(change, from) {
    const before = this.place
    const next = { ...before, ...change, game: null }
    this.place = next
    // The question goes out first: all that is drawn here is drawn while the program searches.
    this.#search()
    bar.replace(address.write(next))
    if (from === 'board' || change.query === undefined) this.text.show(next)
    if (from === 'text' && next.query !== before.query) this.#board(next.query)
    if (from === 'board') this.illustrated = false
  }

  /** Shows on the board what the text asks for, if the board can. @param {string} query */
  #board(query) {
    const pattern = read(query)
    if (pattern) this.side.show(pattern)
    else this.side.illustrate(null, [], MORE)
    this.illustrated = !pattern
  }

  async #search() {
    if (!this.place.query.trim()) {
      this.search.stop()
      this.#rest()
      return
    }
    this.gallery.hidden = true
    const answer = await this.search.ask(this.place)
    if (answer === this.search.answer && answer.state !== 'done') document.title = 'cqldex'
  }

  /** Puts an answer that is whole into the history. @param {Answer} answer */
  #remember(answer) {
    if (answer === this.remembered) return
    this.remembered = answer
    const { query, within, notWithin, variations, db } = this.place
    remember({ search: address.write({ ...address.START, query, within, notWithin, variations, db }), query,
      positions: answer.positions, at: Date.now() })
    document.title = `${sentence(answer)} · cqldex`
  }

  #halt() {
    this.search.stop()
    const answer = this.search.answer
    answer?.take({ type: 'error', error: { code: 'stopped', message: `stopped; ${number(answer.positions)} positions until then` } })
  }

  /** Nothing is asked: examples take the place of an answer. */
  #rest() {
    this.shown = null
    this.search.answer = null
    this.status.rest()
    this.peek('')
    this.result.rest()
    this.gallery.hidden = false
    document.title = 'cqldex'
    if (!this.gallery.firstChild) gallery.show(this.gallery, this.place.db)
  }

  /** The first and the end of an answer show at once; what comes between them once in a frame. @param {Answer} answer */
  #soon(answer) {
    if (answer !== this.shown || answer.ended) { this.#answered(answer); return }
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      if (this.search.answer === answer) this.#answered(answer)
    })
  }

  /** More of an answer is here. @param {Answer} answer */
  #answered(answer) {
    const first = answer !== this.shown
    if (first && !answer.matches.known && !answer.ended && answer.state !== 'queued' && !answer.progress) {
      this.result.age(true)
      return
    }
    if (answer.state === 'failed' && !answer.id && answer.error?.diagnostics) {
      // What is being typed is often no question yet: the answer before stays, and the text says what is wrong.
      this.status.rest()
      this.result.age(true)
      if (this.illustrated) this.side.illustrate(null, [], 'The text is not a question yet.')
      return
    }
    if (first || answer.ended) this.result.age(false)
    if (first) this.shown = answer
    this.status.show(answer)
    this.peek(sentence(answer))
    this.result.show(answer)
    if (this.illustrated) this.#illustrate(answer)
    if (answer.state === 'done') {
      this.#remember(answer)
      this.game.mark(answer.id)
    }
  }

  /** @param {Answer} answer */
  #illustrate(answer) {
    const match = answer.matches.items.get(0)
    this.side.illustrate(match?.fen ?? null, match?.marks ?? [], match ? `${MORE} The board shows a match.` : MORE)
  }

  /** A set has another name now, or is gone: the question names it so. @param {string} from @param {string|null} to */
  #renamed(from, to) {
    const { within, notWithin } = this.place
    if (![...within, ...notWithin].includes(from)) return
    const named = (/** @type {string[]} */ names) => names.flatMap((name) => (name !== from ? [name] : to === null ? [] : [to]))
    this.#ask({ within: named(within), notWithin: named(notWithin) }, 'text')
  }

  /** A set of the question, for the heat map: the first men that it names. */
  #set() {
    const { check } = this.text
    const token = check?.tokens.find((entry) => entry.class === 'designator')
    const words = token ? this.text.editor.text.slice(token.from, token.to) : ''
    return words.replace(/[a-h][1-8].*$/, '') || 'K'
  }

  /** @param {number} game @param {number|null} position @param {number} index */
  #link(game, position, index) {
    const link = `./${address.write({ ...this.place, game: { game, position } })}`
    return index < 0 ? link : `${link}#${index}`
  }

  /** Links inside the page do not load it again. @param {MouseEvent} event */
  #click(event) {
    const link = /** @type {HTMLElement} */ (event.target).closest('a.card, .row a, a[data-inside]')
    if (!(link instanceof HTMLAnchorElement) || !link.href || event.defaultPrevented) return
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const url = new URL(link.href)
    if (url.hash) this.index = Number(url.hash.slice(1))
    link.closest('dialog')?.close()
    this.go(address.read(url.search))
    if (link.matches('[data-inside]')) window.scrollTo({ top: 0 })
  }

  #closed() {
    if (!this.place.game) return
    this.go({ ...this.place, game: null }, 'replace')
    if (this.index >= 0 && this.result.view === 'boards') this.result.boards.list.focus(this.index)
  }

  /** @param {number} step */
  #neighbor(step) {
    const items = this.shown?.matches.items
    const open = this.place.game?.game
    let index = this.index + step
    // The matches of the open game are gone through in the game itself.
    while (items?.get(index)?.game === open) index += step
    const match = items?.get(index)
    if (!match) {
      if (index >= 0 && index < (this.shown?.held ?? 0)) this.shown?.matches.want(index, index + 1)
      return false
    }
    this.index = index
    this.go({ ...this.place, game: { game: match.game, position: match.position } }, 'replace')
    return true
  }
}

/** @param {Place} one @param {Place} other */
function sameQuestion(one, other) {
  return one.query === other.query && one.db === other.db && one.variations === other.variations &&
    one.within.join('\n') === other.within.join('\n') && one.notWithin.join('\n') === other.notWithin.join('\n')
}

