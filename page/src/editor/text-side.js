// The text of the question with what the program says about it: dialect, errors, sets, variations.

import { get, isAbort, post } from '../api/client.js'
import { hasSymbols } from '../query/spelling.js'
import { fill, h } from '../ui/dom.js'
import { capitalized, counted } from '../ui/words.js'
import { Editor } from './editor.js'
import { explanation, prose } from './help.js'

/** @typedef {import('../api/types.js').Check} Check */
/** @typedef {import('../api/types.js').NamedSet} NamedSet */
/** @typedef {import('../answer/search.js').Question} Question */

/** @type {Record<string, string>} */
const DIALECTS = { cql1: 'CQL 1 to 3', cql5: 'CQL 5' }

export class TextSide {
  /**
   * @param {HTMLElement} host
   * @param {(change: Partial<Question>) => void} changed
   * @param {() => void} run
   * @param {() => string} database
   * @param {() => void} manage  renames and deletes sets
   */
  constructor(host, changed, run, database, manage) {
    this.changed = changed
    this.database = database
    /** @type {Check|null} */
    this.check = null
    /** @type {Promise<Map<string, import('../api/types.js').Form[]>>|null} */
    this.words = null
    this.editor = new Editor(h('div'), (text) => { changed({ query: text }); this.#ask(text) }, {
      check: (text, at) => this.#check(text, at).catch(() => null),
      formsOf: async (word) => (await this.#words())?.get(word) ?? [],
      otherSpelling: () => this.#spell(),
      run,
    })
    this.note = h('div', { id: 'editor-note', class: 'editor-note' })
    this.variations = h('input', { type: 'checkbox', onchange: () => changed({ variations: this.variations.checked }) })
    this.symbols = h('button', { type: 'button', class: 'quiet', title: 'Write -> as → and back (Alt+U)',
      onclick: () => this.#spell() }, '-> as →')
    this.sets = h('span', { class: 'chips' })
    this.manage = h('button', { type: 'button', class: 'quiet', hidden: true, title: 'Rename and delete sets', onclick: manage }, 'Sets …')
    this.setLine = h('span', { class: 'set-line', hidden: true }, h('span', { class: 'caption' }, 'Within'), this.sets,
      this.manage)
    fill(host, h('div', { class: 'editor' }, this.editor.view.dom),
      h('div', { class: 'line options' },
        h('label', { class: 'tick', title: 'Search the variations of the games too' }, this.variations, 'Variations'),
        this.symbols, this.setLine, this.note))
  }

  /** @param {Question} question */
  show(question) {
    this.variations.checked = question.variations
    if (question.query !== this.editor.text) {
      this.editor.show(question.query)
      this.#ask(question.query)
    }
    this.#chips(question)
  }

  /** The documentation of all words; null if it can't be had now. */
  async #words() {
    this.words ??= get('words').then(({ words }) =>
      new Map(words.map((/** @type {{word: string, forms: import('../api/types.js').Form[]}} */ entry) => [entry.word, entry.forms])))
    try {
      return await this.words
    } catch {
      this.words = null
      return null
    }
  }

  /** @param {string} query @param {number} [at] @param {AbortSignal} [signal] @returns {Promise<Check>} */
  #check(query, at, signal) {
    return post('check', { db: this.database() }, { query, ...(at === undefined ? {} : { at }) }, signal)
  }

  /** Asks the program about the text, for colors and errors. @param {string} text */
  async #ask(text) {
    this.asking?.abort()
    this.asking = new AbortController()
    this.symbols.textContent = hasSymbols(text) ? '→ as ->' : '-> as →'
    if (!text.trim()) {
      this.check = null
      this.editor.say(text, /** @type {any} */ ({ tokens: [], diagnostics: [] }))
      fill(this.note)
      return
    }
    try {
      const check = await this.#check(text, undefined, this.asking.signal)
      if (text !== this.editor.text) return
      this.check = check
      this.editor.say(text, check)
      this.#note(text, check)
    } catch (error) {
      if (!isAbort(error)) fill(this.note)
    }
  }

  /** @param {string} text @param {Check} check */
  #note(text, check) {
    const [first] = check.diagnostics
    const dialect = DIALECTS[check.dialect]
    this.note.classList.toggle('failed', first?.severity === 'error')
    const more = h('div', { class: 'explanation', hidden: true })
    fill(this.note,
      first && h('span', {}, ...prose(`${[first.message, first.help].filter(Boolean).map(capitalized).join('. ')}. `), this.#codeButton(first.code, more)),
      dialect && h('span', {}, `Read as ${dialect}. `, check.ok && h('button', { type: 'button', class: 'quiet',
        onclick: () => this.#replace(post('translate', {}, { query: text })) }, 'Write it in CQL 6.2')),
      check.files && h('span', {}, 'It reads or writes files, which a page must not.'),
      first && more)
  }

  /** @param {string} code @param {HTMLElement} more  where it is explained */
  #codeButton(code, more) {
    const button = h('button', { type: 'button', class: 'quiet code', title: 'What this code means', 'aria-expanded': 'false' }, code)
    button.addEventListener('click', () => this.#explain(code, button, more))
    return button
  }

  /**
   * Opens or closes what the documentation says about a code.
   * @param {string} code @param {HTMLElement} button @param {HTMLElement} place
   */
  async #explain(code, button, place) {
    if (place.hidden && !place.hasChildNodes()) {
      try {
        fill(place, ...explanation(await get(`errors/${code}`)))
      } catch (error) {
        fill(place, error instanceof Error ? error.message : String(error))
      }
    }
    place.hidden = !place.hidden
    button.setAttribute('aria-expanded', String(!place.hidden))
  }

  /** @param {Promise<{query: string}>} wanted */
  async #replace(wanted) {
    try {
      const { query } = await wanted
      this.editor.show(query)
      this.#ask(query)
      this.changed({ query })
    } catch (error) {
      fill(this.note, error instanceof Error ? error.message : String(error))
    }
  }

  #spell() {
    const query = this.editor.text
    if (query.trim()) this.#replace(post('convert', {}, { query, to: hasSymbols(query) ? 'ascii' : 'unicode' }))
  }

  /** @param {readonly NamedSet[]} sets @param {boolean} mayChange @param {Question} question */
  offer(sets, mayChange, question) {
    this.known = sets
    this.manage.hidden = !mayChange || !sets.length
    this.#chips(question)
  }

  /** @param {Question} question */
  #chips(question) {
    const sets = this.known ?? []
    this.setLine.hidden = !sets.length && !question.within.length && !question.notWithin.length
    const names = [...new Set([...sets.map((set) => set.name), ...question.within, ...question.notWithin])]
    fill(this.sets, names.map((name) => {
      const set = sets.find((entry) => entry.name === name)
      const state = question.within.includes(name) ? 'in' : question.notWithin.includes(name) ? 'out' : ''
      const words = state === 'in' ? `within ${name}` : state === 'out' ? `not within ${name}` : name
      return h('button', { type: 'button', class: `chip ${state}`, 'aria-pressed': String(state !== ''), 'aria-label': words,
        title: [set && counted(set.positions, 'position'), 'press for within, again for not within'].filter(Boolean).join(': '),
        onclick: () => this.#turn(name, state, question) }, state === 'out' ? `not ${name}` : name)
    }))
  }

  /** From off to within, to not within, to off. @param {string} name @param {string} state @param {Question} question */
  #turn(name, state, question) {
    const without = (/** @type {string[]} */ list) => list.filter((other) => other !== name)
    this.changed({
      within: state === '' ? [...question.within, name] : without(question.within),
      notWithin: state === 'in' ? [...question.notWithin, name] : without(question.notWithin),
    })
  }
}
