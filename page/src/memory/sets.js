// Named sets of positions: which there are, and dialogs that save an answer as one, rename and delete them.

import { Failure, get, patch, put, remove } from '../api/client.js'
import { prose } from '../editor/help.js'
import { open } from '../ui/dialogs.js'
import { fill, h } from '../ui/dom.js'
import { counted } from '../ui/words.js'

/** @typedef {import('../api/types.js').NamedSet} NamedSet */

/**
 * @typedef {Object} Around
 * @property {() => {db: string, answer: string|null}} asked  `answer` is one that is whole
 * @property {(sets: NamedSet[]) => void} offer               the sets that there are
 * @property {(from: string, to: string|null) => void} renamed  `to` is null if the set is gone
 * @property {(words: string) => void} say
 */

/** @param {unknown} error */
const words = (error) => (error instanceof Failure ? error.message : 'the server does not answer')

/** @param {string} name */
const path = (name) => `sets/${encodeURIComponent(name)}`

export class NamedSets {
  /** @param {Around} around */
  constructor(around) {
    this.around = around
    /** @type {NamedSet[]} */
    this.sets = []
    /** Whether this server lets the page change sets. */
    this.mayChange = false
  }

  /** Asks for the sets of the database. */
  async load() {
    try {
      const { sets, mayChange } = await get('sets', { db: this.around.asked().db })
      this.sets = sets
      this.mayChange = mayChange
      this.around.offer(sets)
    } catch { /* Without sets, there are no chips. */ }
  }

  /** Saves the answer under a name. */
  save() {
    const { answer } = this.around.asked()
    if (!answer) return
    open('Save this answer as a set', (body, close) => {
      const input = h('input', { type: 'text', class: 'code', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off',
        maxlength: '64', required: true, 'aria-label': 'Name of the set', oninput: () => ask(false) })
      const wrong = h('p', { class: 'failed', role: 'alert' })
      const button = h('button', { type: 'submit', class: 'main' }, 'Save')
      let replace = false
      /** @param {boolean} again  whether a set of this name is to be replaced */
      const ask = (again) => { replace = again; button.textContent = again ? 'Replace it' : 'Save'; if (!again) wrong.textContent = '' }
      body.append(h('form', { class: 'stack', onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault()
        button.disabled = true
        try {
          /** @type {NamedSet} */
          const set = await put(path(input.value.trim()), {}, { answer, replace })
          close()
          this.around.say(`saved as ${set.name}: ${counted(set.positions, 'position')}`)
          await this.load()
        } catch (error) {
          fill(wrong, ...prose(words(error)))
          if (error instanceof Failure && error.code === 'set-exists') ask(true)
        }
        button.disabled = false
      } }, h('p', { class: 'more' }, 'The positions are kept in the database, and other questions can be asked within them or without them. ' +
        'In a question they are positionset "NAME".'), input, wrong, button))
    })
  }

  /** Renames and deletes sets. */
  manage() {
    open('Sets of positions', (body) => {
      const wrong = h('p', { class: 'failed', role: 'alert' })
      const list = h('ul', { class: 'history sets' })
      /** @param {() => Promise<void>} change */
      const attempt = async (change) => {
        try {
          await change()
          wrong.textContent = ''
          await this.load()
          draw()
        } catch (error) {
          fill(wrong, ...prose(words(error)))
        }
      }
      const draw = () => fill(list, this.sets.length ? this.sets.map((set) => this.#row(set, attempt)) : h('li', { class: 'more' }, 'None.'))
      draw()
      body.append(wrong, list)
    })
  }

  /** @param {NamedSet} set @param {(change: () => Promise<void>) => void} attempt */
  #row(set, attempt) {
    const { name } = set
    const db = this.around.asked().db
    const input = h('input', { type: 'text', class: 'code', value: name, maxlength: '64', spellcheck: 'false', autocomplete: 'off',
      autocapitalize: 'off', required: true, 'aria-label': `Name of ${name}` })
    const erase = h('button', { type: 'button', onclick: () => {
      // The second press deletes: a set can't be brought back.
      if (erase.dataset.sure) attempt(async () => { await remove(path(name), { db }); this.around.renamed(name, null); this.around.say(`${name} is deleted`) })
      else { erase.dataset.sure = 'yes'; erase.textContent = 'Really delete' }
    } }, 'Delete')
    return h('li', {}, h('form', { class: 'line', onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault()
      const to = input.value.trim()
      if (to !== name) attempt(async () => { await patch(path(name), { db }, { name: to }); this.around.renamed(name, to); this.around.say(`${name} is now ${to}`) })
    } }, input, h('button', { type: 'submit' }, 'Rename'), erase),
    h('span', { class: 'more' }, set.damage ?? [counted(set.positions, 'position'), counted(set.games, 'game'), set.live && 'grows with the database'].filter(Boolean).join(' · ')))
  }
}
