// Queries that have a name, by groups, with a search.

import { get } from '../api/client.js'
import { capitalized, counted } from '../ui/words.js'
import { fill, h } from '../ui/dom.js'
import { START, write } from './address.js'
import { found } from './theme-search.js'

/** @typedef {import('./theme-search.js').Theme} Theme */

/** @type {Promise<Theme[]>|null} */
let themes = null

/** @returns {Promise<Theme[]>} */
function load() {
  themes ??= get('themes').then((answer) => answer.themes)
  return themes
}

/** Shows all themes in a place. The links are ordinary ones; `db` stays. @param {HTMLElement} host @param {string} db */
export async function show(host, db) {
  const list = await load()
  const groups = h('div', { class: 'themes' })
  const amount = h('p', { class: 'more', role: 'status' })
  const field = h('input', { type: 'search', 'aria-label': 'Search themes', placeholder: 'fork, rook, Boden ...', oninput: () => draw() })
  const draw = () => {
    const shown = found(list, field.value)
    fill(amount, counted(shown.length, 'theme'))
    fill(groups, [...new Set(shown.map((theme) => theme.group))].map((group) => h('section', {}, h('h3', {}, capitalized(group)),
      h('ul', {}, shown.filter((theme) => theme.group === group).map((theme) => item(theme, db))))))
  }
  fill(host, h('div', { class: 'field' }, field), amount, groups)
  draw()
  field.focus()
}

/** @param {Theme} theme @param {string} db */
function item(theme, db) {
  const source = theme.link ? h('a', { href: theme.link, target: '_blank', rel: 'noopener' }, theme.source) : theme.source
  return h('li', {},
    h('a', { href: `./${write({ ...START, db, query: theme.query.trimEnd() })}`, 'data-inside': true }, theme.title),
    h('p', {}, theme.about), h('p', { class: 'more' }, `${theme.tags.join(', ')} · `, source))
}
