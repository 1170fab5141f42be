// Names that the games have, offered below a field while one types.

import { get, isAbort } from '../api/client.js'
import { h } from '../ui/dom.js'

let lists = 0

/**
 * Offers names to a field.
 * @param {HTMLInputElement} input @param {'player'|'eco'} field @param {() => string} database
 * @returns {HTMLElement} the list, which belongs beside the field
 */
export function offerNames(input, field, database) {
  const list = h('datalist', { id: `names-${++lists}` })
  input.setAttribute('list', list.id)
  /** @type {AbortController|null} */
  let asking = null
  const ask = async () => {
    asking?.abort()
    asking = new AbortController()
    const text = input.value.trim()
    try {
      /** @type {{names: {name: string}[]}} */
      const { names } = text ? await get('names', { db: database(), field, text }, asking.signal) : { names: [] }
      // Names alone: where an option has a label too, some browsers show and search the label instead.
      list.replaceChildren(...names.map(({ name }) => h('option', { value: name })))
    } catch (error) {
      if (!isAbort(error)) list.replaceChildren()
    }
  }
  input.addEventListener('input', ask)
  // The program collects the names when it is first asked for some, so that it has them before the first letter is there.
  input.addEventListener('focus', () => { get('names', { db: database(), field, count: 0 }).catch(() => {}) }, { once: true })
  return list
}
