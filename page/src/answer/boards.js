// The matches as a grid of boards, with the men they are about marked.

import { boardInWords } from '../board/in-words.js'
import { drawSmall } from '../board/small.js'
import { h } from '../ui/dom.js'
import { score, surname } from '../ui/words.js'
import { VirtualList } from './virtual.js'

/** @typedef {import('./answer.js').Answer} Answer */
/** @typedef {import('../api/types.js').Match} Match */

/** Height of what stands below a board, in pixels. */
const CAPTION = 46

let cards = 0

export class Boards {
  /** @param {(match: Match, index: number) => string} link  the address of a match */
  constructor(link) {
    /** What each card shows, so that it is drawn only when that changes. @type {WeakMap<HTMLElement, {match: Match|undefined, key: string}>} */
    this.drawn = new WeakMap()
    this.paint = 0
    this.link = link
    /** @type {Answer|null} */
    this.answer = null
    this.list = new VirtualList({
      measure: (width) => {
        const gap = width < 500 ? 10 : 14
        const columns = Math.max(2, Math.floor((width + gap) / (190 + gap)))
        return { columns, gap, height: Math.floor((width - gap * (columns - 1)) / columns) + CAPTION }
      },
      make: () => {
        const id = `board-${++cards}`
        // The link is called by its players and move; the board in words describes it.
        return h('div', { class: 'card-place', role: 'listitem' },
          h('a', { class: 'card', 'aria-describedby': id }, h('canvas', {}), h('span', { class: 'names' }), h('span', { class: 'facts' })),
          h('span', { class: 'unseen', id }))
      },
      draw: (element, index, size) => this.#draw(element, index, size.width),
      want: (from, to) => this.answer?.matches.want(from, Math.min(to, this.answer.held)),
    }, { role: 'list', 'aria-label': 'Matches' })
    this.nothing = h('p', { class: 'more', hidden: true },
      'No position matches. Fewer men find more, and so do a mirror, "shifted anywhere" and "either color".')
    this.element = h('div', {}, this.nothing, this.list.element)
  }

  /** Draws all anew, in the colors of another theme. */
  repaint() {
    this.paint += 1
  }

  /** @param {Answer} answer */
  show(answer) {
    this.answer = answer
    this.nothing.hidden = answer.state !== 'done' || answer.held > 0
    this.list.show(answer.held)
  }

  /** @param {HTMLElement} element @param {number} index @param {number} width */
  #draw(element, index, width) {
    const match = this.answer?.matches.items.get(index)
    const key = `${index} ${this.list.count} ${width} ${this.paint}`
    const before = this.drawn.get(element)
    if (before && before.match === match && before.key === key) return
    this.drawn.set(element, { match, key })
    const [card, words] = /** @type {[HTMLAnchorElement, HTMLElement]} */ (/** @type {unknown} */ (element.children))
    const [canvas, names, facts] = /** @type {[HTMLCanvasElement, HTMLElement, HTMLElement]} */ (/** @type {unknown} */ (card.children))
    card.classList.toggle('waiting', !match)
    element.setAttribute('aria-posinset', String(index + 1))
    element.setAttribute('aria-setsize', String(this.list.count))
    canvas.style.height = `${width}px`
    if (!match) {
      card.removeAttribute('href')
      drawSmall(canvas, '8/8/8/8/8/8/8/8', { width })
      words.textContent = ''
      names.textContent = ''
      facts.textContent = ''
      return
    }
    card.href = this.link(match, index)
    drawSmall(canvas, match.fen, { width, marks: match.marks, last: [match.from, match.to] })
    words.textContent = boardInWords(match.fen, match.marks)
    names.textContent = `${surname(match.white)} – ${surname(match.black)}`
    const sort = match.sort?.filter((value) => value !== null).join(', ')
    facts.textContent = [match.year, score(match.result), match.move, sort && `[${sort}]`].filter(Boolean).join(' · ')
  }
}
