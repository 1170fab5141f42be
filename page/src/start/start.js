// The page when no database is open: drop games, or choose a database.

import { byId, fill, h } from '../ui/dom.js'
import { counted } from '../ui/words.js'
import * as gallery from '../memory/gallery.js'
import { AddGames } from './add-games.js'

/** @typedef {import('../api/types.js').Databases} Databases */

/**
 * @param {HTMLElement} host @param {Databases} databases @param {(db: string) => void} choose @param {(words: string) => void} say
 */
export function showStart(host, databases, choose, say) {
  const usable = databases.databases.filter((entry) => !entry.problem)
  const broken = databases.databases.filter((entry) => entry.problem)
  byId('title').remove()
  const taste = h('div', { class: 'taste' })
  const proceed = h('div', { class: 'line' })
  const add = new AddGames({ db: null, fixed: false, say, done: (db) => {
    fill(proceed, h('button', { type: 'button', class: 'main', onclick: () => choose(db) }, `Search ${db}`))
  } })
  fill(host, h('div', { class: 'start' },
    h('h1', {}, 'Search chess games by what happens on the board'),
    h('p', {}, 'Set up men on a board, say what attacks what, and see every position that matches while you do.'),
    databases.mayIndex ? [add.element, proceed]
      : h('p', { class: 'more' }, 'This server does not add games. Make a database with: cqldex index games.db games.pgn'),
    databases.root && h('p', { class: 'more' }, `Databases are in ${databases.root}.`),
    usable.length > 0 && h('section', {}, h('h2', {}, 'Or open a database'), h('ul', { class: 'databases' }, usable.map((entry) =>
      h('li', {}, h('button', { type: 'button', onclick: () => choose(entry.name) }, h('strong', {}, entry.name),
        entry.games !== null && h('span', { class: 'more' }, counted(entry.games, 'game'))))))),
    broken.length > 0 && h('section', {}, h('h2', {}, 'These cannot be opened'), h('ul', {}, broken.map((entry) =>
      h('li', {}, `${entry.name}: ${entry.problem}`)))),
    taste))
  gallery.taste(taste)
}
