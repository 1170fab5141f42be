// What a question says beside the 64 squares: men that stand anywhere, and attacks between any men of a kind.

import { isSquare, toggleAnywhere, toggleAttack } from '../query/pattern.js'
import { fill, h } from '../ui/dom.js'
import { icon } from '../ui/icons.js'
import { menInWords } from '../ui/words.js'
import { menClass } from './men.js'

/** @typedef {import('../query/pattern.js').Pattern} Pattern */

const MEN = ['N', 'B', 'R', 'Q', 'K', 'P', 'A', 'n', 'b', 'r', 'q', 'k', 'p', 'a']

export class Elsewhere {
  /** @param {(change: (pattern: Pattern) => Pattern) => void} change @param {() => string} inHand  letters, or '' */
  constructor(change, inHand) {
    this.change = change
    this.inHand = inHand
    this.chips = h('span', { class: 'chips' })
    const options = () => MEN.map((letter) => h('option', { value: letter }, menInWords(letter)))
    this.from = h('select', { 'aria-label': 'Who attacks' }, ...options())
    this.to = h('select', { 'aria-label': 'Who is attacked' }, ...options())
    this.to.value = 'k'
    this.man = h('select', { 'aria-label': 'A man that stands anywhere' }, ...options())
    this.man.value = 'Q'
    this.element = h('div', { class: 'elsewhere' },
      h('div', { class: 'line' }, h('span', { class: 'caption' }, 'Anywhere'), this.chips),
      h('details', {},
        h('summary', {}, 'Men and attacks anywhere'),
        h('div', { class: 'line' }, this.man,
          h('button', { type: 'button', onclick: () => change((pattern) => toggleAnywhere(pattern, this.man.value)) },
            'is on the board')),
        h('div', { class: 'line' }, this.from, h('span', {}, 'attacks'), this.to,
          h('button', { type: 'button', onclick: () => change((p) => toggleAttack(p, this.from.value, this.to.value)) },
            'Add'))))
  }

  /** @param {Pattern} pattern */
  show(pattern) {
    const chip = (/** @type {string} */ words, /** @type {import('../ui/dom.js').Child[]} */ inside, /** @type {() => void} */ off) =>
      h('button', { type: 'button', class: 'chip', title: `Take away: ${words}`, 'aria-label': `Take away: ${words}`,
        onclick: off }, ...inside, icon('close'))
    const picture = (/** @type {string} */ letters) => h('span', { class: `man small ${menClass(letters)}` })
    const men = [...pattern.anywhere].map((letter) => chip(menInWords(letter), [picture(letter)],
      () => this.change((p) => toggleAnywhere(p, letter))))
    const end = (/** @type {string} */ text) => (isSquare(text) ? text : picture(text))
    const attacks = pattern.attacks.filter(({ from, to }) => !isSquare(from) || !isSquare(to)).map(({ from, to }) =>
      chip(`${isSquare(from) ? from : menInWords(from)} attacks ${isSquare(to) ? to : menInWords(to)}`,
        [end(from), '→', end(to)], () => this.change((p) => toggleAttack(p, from, to))))
    const add = h('button', { type: 'button', class: 'chip plus', title: 'Put the man in hand here: it stands anywhere',
      'aria-label': 'Add the man in hand, anywhere on the board',
      onclick: () => {
        const letters = this.inHand()
        if (letters && letters !== '_') this.change((p) => toggleAnywhere(p, letters))
        else /** @type {HTMLDetailsElement} */ (this.element.querySelector('details')).open = true
      } }, icon('add'))
    fill(this.chips, ...men, ...attacks, add)
  }
}
