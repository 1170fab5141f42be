// The answer below the text: tabs, order, downloads, and what the chosen tab shows.

import { VIEWS } from '../memory/address.js'
import { fill, h } from '../ui/dom.js'
import { icon } from '../ui/icons.js'
import { Boards } from './boards.js'
import { Downloads } from './downloads.js'
import { Pictures } from './pictures.js'
import { Plan } from './plan.js'
import { Table } from './table.js'

/** @typedef {import('./answer.js').Answer} Answer */

/** @type {Record<string, string>} */
const NAMES = { boards: 'Boards', table: 'Games', pictures: 'Pictures', plan: 'How it was found' }

/** @type {[string, string][]} */
const ORDERS = [['found', 'as found'], ['-year', 'newest first'], ['year', 'oldest first'], ['-rating', 'highest rated'],
  ['rating', 'lowest rated'], ['white', 'White\'s name'], ['black', 'Black\'s name'], ['matches', 'most matches']]

export class Result {
  /**
   * @param {HTMLElement} host
   * @param {{link: (game: number, position: number|null, index: number) => string, view: (view: string) => void,
   *   order: (order: string) => void, set: () => string, save: () => void,
   *   asked: () => {question: import('./search.js').Question, db: string}}} around
   */
  constructor(host, around) {
    this.around = around
    this.view = 'boards'
    /** The answer whose downloads are offered. @type {string|null} */
    this.offered = null
    this.aging = 0
    /** @type {Answer|null} */
    this.answer = null
    this.boards = new Boards((match, index) => around.link(match.game, match.position, index))
    this.table = new Table((row) => around.link(row.game, null, row.index), around.order)
    this.pictures = new Pictures(around.set)
    this.plan = new Plan(around.asked)
    this.tabs = VIEWS.map((view) => h('button', { type: 'button', role: 'tab', id: `tab-${view}`, 'aria-controls': 'panel',
      onclick: () => around.view(view) }, NAMES[view]))
    this.order = h('select', { 'aria-label': 'Order', onchange: () => around.order(this.order.value) },
      ORDERS.map(([value, words]) => h('option', { value }, words)))
    this.downloads = new Downloads()
    this.tools = h('span', { class: 'downloads' })
    this.save = h('button', { type: 'button', class: 'quiet', hidden: true, title: 'Save this answer as a set of positions',
      onclick: around.save }, icon('keep'), 'Save')
    const tabList = h('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Views of the answer' }, this.tabs)
    tabList.addEventListener('keydown', (event) => this.#walk(event))
    this.panel = h('div', { id: 'panel', role: 'tabpanel', class: 'panel' })
    this.element = h('div', { class: 'answer-box', hidden: true },
      h('div', { class: 'answer-bar' }, tabList, h('span', { class: 'answer-tools' }, this.order, this.tools)), this.panel)
    host.append(this.element)
    this.choose('boards')
  }

  /** Whether answers can be saved as sets here. @param {boolean} may */
  set maySave(may) {
    this.save.hidden = !may
  }

  /** @param {string} view */
  choose(view) {
    this.view = view
    VIEWS.forEach((name, at) => {
      this.tabs[at].setAttribute('aria-selected', String(name === view))
      this.tabs[at].tabIndex = name === view ? 0 : -1
    })
    this.panel.setAttribute('aria-labelledby', `tab-${view}`)
    const element = { boards: this.boards, table: this.table, pictures: this.pictures, plan: this.plan }[view]?.element
    if (element && element !== this.panel.firstChild) this.panel.replaceChildren(element)
    this.order.hidden = view !== 'boards' && view !== 'table'
    this.#draw()
  }

  /** @param {Answer} answer */
  show(answer) {
    this.answer = answer
    this.element.hidden = false
    this.order.value = answer.order
    this.order.disabled = !answer.ended
    const id = answer.summary?.positions ? answer.id : null
    if (id !== this.offered) {
      this.offered = id
      this.downloads.offer(id)
      fill(this.tools, ...(id ? [this.downloads.element, this.save] : []))
    }
    this.#draw()
  }

  /**
   * Says that what is shown is no answer to what is asked now. It shows only if that lasts: what comes and goes with each
   * key press disturbs, and costs time.
   * @param {boolean} old
   */
  age(old) {
    if (!old) {
      clearTimeout(this.aging)
      this.aging = 0
      this.element.classList.remove('old')
    } else this.aging ||= window.setTimeout(() => this.element.classList.add('old'), 400)
  }

  rest() {
    this.age(false)
    this.answer = null
    this.element.hidden = true
  }

  #draw() {
    const { answer } = this
    if (this.view === 'plan') { if (!this.element.hidden && answer?.ended) this.plan.show() }
    else if (!answer) return
    else if (this.view === 'boards') this.boards.show(answer)
    else if (this.view === 'table') this.table.show(answer)
    else if (answer.state === 'done') this.pictures.show(answer.id, answer.held)
  }

  /** Arrow keys go from tab to tab. @param {KeyboardEvent} event */
  #walk(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = VIEWS[(VIEWS.indexOf(this.view) + step + VIEWS.length) % VIEWS.length]
    this.around.view(next)
    this.tabs[VIEWS.indexOf(next)].focus()
  }
}
