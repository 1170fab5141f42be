// The beginning: what this server has decides between the start page and the page of a database.

import { get } from './api/client.js'
import { readTheme } from './board/small.js'
import { showStart } from './start/start.js'
import { AddGames } from './start/add-games.js'
import * as address from './memory/address.js'
import * as gallery from './memory/gallery.js'
import * as themes from './memory/themes.js'
import { showHistory } from './memory/history-list.js'
import { Page } from './page.js'
import { open } from './ui/dialogs.js'
import { byId, fill, h } from './ui/dom.js'
import { showKeys } from './ui/help-keys.js'
import { icon } from './ui/icons.js'
import { say } from './ui/live.js'
import * as theme from './ui/theme.js'
import { counted } from './ui/words.js'

/** @typedef {import('./api/types.js').Databases} Databases */

/** Between two looks whether the database has grown, in milliseconds. */
const LOOK = 5000

/** @type {Page|null} */
let page = null
/** @type {Databases} */
let databases = { root: null, default: null, mayIndex: false, databases: [] }

/** @param {string} name @param {string} drawing @param {() => void} press */
const menuButton = (name, drawing, press) => h('button', { type: 'button', class: 'menu-button', title: name, onclick: press },
  icon(drawing), h('span', {}, name))

function menu() {
  const dark = () => theme.current() === 'dark'
  const lamp = h('button', { type: 'button', class: 'menu-button', 'aria-label': 'Dark or light', title: 'Dark or light', onclick: () => {
    theme.toggle()
    repaint()
  } }, icon(dark() ? 'sun' : 'moon'))
  const repaint = () => { lamp.replaceChildren(icon(dark() ? 'sun' : 'moon')); page?.redraw() }
  theme.start(repaint)
  lamp.replaceChildren(icon(dark() ? 'sun' : 'moon'))
  fill(byId('menu'),
    page && menuButton('Examples', 'gallery', () => open('Examples', (body) => { gallery.show(body, page?.place.db ?? '', 'h3') }, 'wide-dialog')),
    page && menuButton('Themes', 'themes', () => open('Themes', (body) => { themes.show(body, page?.place.db ?? '') }, 'wide-dialog')),
    page && menuButton('History', 'history', showHistory),
    page && databases.mayIndex && menuButton('Add games', 'add', () => addGames()),
    page && menuButton('Keys', 'help', showKeys), lamp)
}

/** @param {FileList} [files] */
function addGames(files) {
  open('Add games', (body) => {
    const db = page?.place.db || databases.default || ''
    const add = new AddGames({ db, fixed: true, say, done: () => look() })
    fill(body, add.element)
    if (files) add.add(files)
  })
}

/** Names the database and offers the others. @param {import('./api/types.js').Stats} stats */
function nameDatabase(stats) {
  const usable = databases.databases.filter((entry) => !entry.problem)
  const games = h('span', { class: 'more' }, counted(stats.games, 'game'))
  if (usable.length < 2) { fill(byId('database'), h('span', { class: 'database-name' }, stats.database), games); return }
  const select = h('select', { 'aria-label': 'Database', onchange: () => choose(select.value) },
    usable.map((entry) => h('option', { value: entry.name }, entry.name)))
  select.value = page?.place.db || databases.default || ''
  fill(byId('database'), select, games)
}

/** Opens the page on a database. @param {string} db */
function choose(db) {
  location.assign(`./${address.write({ ...address.START, db })}`)
  if (!location.search && !db) location.reload()
}

let version = -1

/** Sees whether the database has grown, and then asks the question again. */
async function look() {
  if (!page) return
  try {
    /** @type {import('./api/types.js').Stats} */
    const stats = await get('stats', { db: page.place.db })
    if (stats.version === version) return
    const grown = version >= 0
    version = stats.version
    nameDatabase(stats)
    if (grown) { say(`the database has ${counted(stats.games, 'game')} now`); page.again() }
  } catch { /* The next look may do better. */ }
}

function keys() {
  document.addEventListener('keydown', (event) => {
    const target = /** @type {HTMLElement} */ (event.target)
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return
    if (target.closest('input, select, textarea, [contenteditable=true], .squares')) return
    if (event.key === '/') page?.text.editor.focus()
    else if (event.key === 'b') page?.side.board.squares.focus(page.side.board.squares.current)
    else if (event.key === '?') showKeys()
    else return
    event.preventDefault()
  })
}

/** Files that are dropped anywhere are added. */
function drops() {
  document.addEventListener('dragover', (event) => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault() })
  document.addEventListener('drop', (event) => {
    const files = event.dataTransfer?.files
    if (!files?.length) return
    event.preventDefault()
    if (page && databases.mayIndex) addGames(files)
  })
}

async function start() {
  databases = await get('databases')
  const asked = address.read(location.search).db
  if (!databases.default && !asked) {
    document.body.classList.add('at-start')
    menu()
    byId('question').hidden = true
    readTheme()
    showStart(byId('result'), databases, choose, say)
    return
  }
  page = new Page()
  menu()
  keys()
  drops()
  await page.start()
  await look()
  setInterval(() => { if (!document.hidden) look() }, LOOK)
}

start().catch((error) => {
  fill(byId('status'), h('p', { class: 'failed' }, `The page could not begin: ${error instanceof Error ? error.message : error}`))
})
