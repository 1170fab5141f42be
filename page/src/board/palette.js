// The men and tools with which a question is set up. One of them is in hand.

import { h } from '../ui/dom.js'
import { icon } from '../ui/icons.js'
import { capitalized, menInWords } from '../ui/words.js'
import { menClass } from './men.js'
import { HAND, sameTool } from './tools.js'

/** @typedef {import('./tools.js').Tool} Tool */

/** @type {{tool: Tool, name: string, icon?: string}[]} */
const TOOLS = [
  { tool: HAND, name: 'Hand: drag what stands on the board', icon: 'hand' },
  { tool: { kind: 'attack' }, name: 'Attack: drag an arrow from a square to another', icon: 'attack' },
  { tool: { kind: 'move' }, name: 'Next move: press its square, or drag from where to where', icon: 'move' },
  { tool: { kind: 'capture' }, name: 'Next capture: press its square, or drag from where to where', icon: 'capture' },
  { tool: { kind: 'erase' }, name: 'Erase a square', icon: 'erase' },
]

export class Palette {
  /**
   * @param {(tool: Tool) => void} choose
   * @param {(either: boolean) => void} either
   * @param {(letters: string, event: PointerEvent) => void} bring  a man is dragged from here
   */
  constructor(choose, either, bring) {
    this.choose = choose
    this.bring = bring
    /** @type {{button: HTMLElement, tool: Tool}[]} */
    this.buttons = []
    const row = (/** @type {string} */ letters) => [...letters].map((letter) => this.#man(letter))
    this.either = h('button', { type: 'button', class: 'tool wide', 'aria-pressed': 'false',
      title: 'Either: a press adds to what a square may have (or hold Shift)',
      onclick: () => either(this.setEither(this.either.getAttribute('aria-pressed') !== 'true')) }, 'either of these')
    /** What the next press does, for those who can't point at a button to read its name. */
    this.hint = h('p', { class: 'more', 'aria-hidden': 'true' })
    this.element = h('div', { class: 'palette', role: 'toolbar', 'aria-label': 'Men and tools' },
      h('div', { class: 'palette-row' }, ...row('KQRBNPA_')),
      h('div', { class: 'palette-row' }, ...row('kqrbnpa'), this.#tool(TOOLS[4])),
      h('div', { class: 'palette-row tools' }, ...TOOLS.slice(0, 4).map((tool) => this.#tool(tool)), this.either), this.hint)
    this.select(HAND)
    this.element.addEventListener('keydown', (event) => this.#walk(event))
  }

  /** @param {boolean} either */
  setEither(either) {
    this.either.setAttribute('aria-pressed', String(either))
    return either
  }

  /** @param {Tool} tool */
  select(tool) {
    for (const entry of this.buttons) entry.button.setAttribute('aria-pressed', String(sameTool(entry.tool, tool)))
    this.hint.textContent = tool.kind === 'men' ? `${capitalized(menInWords(tool.letters))}: press its squares, or drag it there`
      : TOOLS.find((entry) => sameTool(entry.tool, tool))?.name ?? ''
    this.choose(tool)
  }

  /** @param {string} letter */
  #man(letter) {
    /** @type {Tool} */
    const tool = { kind: 'men', letters: letter }
    const name = menInWords(letter)
    return this.#add(tool, h('button', { type: 'button', class: `tool man ${menClass(letter)}`, 'aria-pressed': 'false',
      'aria-label': name, title: `${name} (key ${letter})`, onclick: () => this.#toggle(tool),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.bring(letter, event) }))
  }

  /** @param {{tool: Tool, name: string, icon?: string}} entry */
  #tool({ tool, name, icon: drawing }) {
    return this.#add(tool, h('button', { type: 'button', class: 'tool', 'aria-pressed': 'false', 'aria-label': name,
      title: name, onclick: () => this.#toggle(tool) }, icon(drawing ?? '')))
  }

  /** @param {Tool} tool @param {HTMLElement} button */
  #add(tool, button) {
    this.buttons.push({ tool, button })
    return button
  }

  /** A second press puts the tool back. @param {Tool} tool */
  #toggle(tool) {
    const held = this.buttons.find((entry) => sameTool(entry.tool, tool))?.button.getAttribute('aria-pressed') === 'true'
    this.select(held ? HAND : tool)
  }

  /** Arrow keys go from button to button. @param {KeyboardEvent} event */
  #walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 8, ArrowUp: -8 }[event.key]
    if (!step) return
    const all = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll('button')])
    const next = all[all.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + step]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
}
