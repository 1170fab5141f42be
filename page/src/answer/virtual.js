// A long list of which only what is in sight exists. The window scrolls; the list is as high as all of its rows.

import { h } from '../ui/dom.js'

/** Browsers stop at some height. What is further down is reached by sorting, or by a narrower question. */
const HIGHEST = 15_000_000
/** Rows above and below the window that are drawn too. */
const MORE = 2

/**
 * @typedef {Object} Kind
 * @property {(width: number) => {columns: number, height: number, gap: number}} measure
 * @property {() => HTMLElement} make
 * @property {(element: HTMLElement, index: number, size: {width: number, height: number}) => void} draw
 * @property {(from: number, to: number) => void} want  what is in sight
 */

export class VirtualList {
  /** @param {Kind} kind @param {Record<string, string>} attributes */
  constructor(kind, attributes) {
    this.kind = kind
    this.count = 0
    this.element = h('div', { class: 'virtual', ...attributes })
    /** @type {Map<number, HTMLElement>} */
    this.shown = new Map()
    /** @type {HTMLElement[]} */
    this.free = []
    this.frame = 0
    this.layout = { columns: 1, height: 1, gap: 0 }
    this.width = 0
    const soon = () => { this.frame ||= requestAnimationFrame(() => { this.frame = 0; this.update() }) }
    this.soon = soon
    window.addEventListener('scroll', soon, { passive: true })
    new ResizeObserver(() => { if (this.element.clientWidth !== this.width) { this.width = 0; soon() } }).observe(this.element)
    this.element.addEventListener('keydown', (event) => this.#key(event))
  }

  /** Says how many there are, and that what is drawn may be old. @param {number} count */
  show(count) {
    this.count = count
    this.stale = true
    this.update()
  }

  update() {
    if (!this.element.isConnected || this.element.offsetParent === null) return
    if (!this.width) {
      this.width = this.element.clientWidth
      this.layout = this.kind.measure(this.width)
      this.stale = true
    }
    const { columns, height, gap } = this.layout
    const step = height + gap
    const rows = Math.min(Math.ceil(this.count / columns), Math.floor(HIGHEST / step))
    this.element.style.height = `${Math.max(0, rows * step - gap)}px`
    const top = -this.element.getBoundingClientRect().top
    const first = Math.max(0, Math.floor(top / step) - MORE) * columns
    // The first rows are drawn even where the list is below the window, so that they are there when one comes.
    const end = Math.max(2 * MORE, Math.ceil((top + window.innerHeight) / step) + MORE) * columns
    const last = Math.min(this.count, rows * columns, end)
    for (const [index, element] of this.shown) if (index < first || index >= last) this.#drop(index, element)
    const cell = { width: (this.width - gap * (columns - 1)) / columns, height }
    for (let index = first; index < last; index += 1) {
      let element = this.shown.get(index)
      if (element && !this.stale) continue
      element ??= this.#add(index)
      element.style.width = `${cell.width}px`
      element.style.height = `${height}px`
      element.style.transform = `translate(${(index % columns) * (cell.width + gap)}px, ${Math.floor(index / columns) * step}px)`
      this.kind.draw(element, index, cell)
    }
    this.stale = false
    if (last > first) this.kind.want(first, last)
  }

  /** @param {number} index */
  #add(index) {
    const element = this.free.pop() ?? this.kind.make()
    element.hidden = false
    element.dataset.index = String(index)
    this.shown.set(index, element)
    if (!element.isConnected) this.element.append(element)
    return element
  }

  /** @param {number} index @param {HTMLElement} element */
  #drop(index, element) {
    // What has the focus stays until the focus goes.
    if (element.contains(document.activeElement)) return
    this.shown.delete(index)
    element.hidden = true
    this.free.push(element)
  }

  /** Arrow keys go through the list. @param {KeyboardEvent} event */
  #key(event) {
    const cell = /** @type {HTMLElement} */ (event.target).closest('[data-index]')
    if (!(cell instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
    const { columns } = this.layout
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key]
    if (!step) return
    event.preventDefault()
    this.focus(Math.max(0, Math.min(this.count - 1, Number(cell.dataset.index) + step)))
  }

  /** Scrolls to an element and gives it the focus. @param {number} index */
  focus(index) {
    const { columns, height, gap } = this.layout
    const top = this.element.getBoundingClientRect().top + window.scrollY + Math.floor(index / columns) * (height + gap)
    if (top < window.scrollY + 80) window.scrollTo({ top: top - 80 })
    else if (top + height > window.scrollY + window.innerHeight) window.scrollTo({ top: top + height - window.innerHeight + 16 })
    this.update()
    const element = this.shown.get(index)
    const inner = element?.matches('a, button, [tabindex]') ? element : element?.querySelector('a, button')
    if (inner instanceof HTMLElement) inner.focus({ preventScroll: true })
  }
}
