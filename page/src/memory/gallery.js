// Questions to start from, each with a board on which it matches.

import { boardInWords } from '../board/in-words.js'
import { drawSmall, ready } from '../board/small.js'
import { fill, h } from '../ui/dom.js'
import { START, write } from './address.js'

/** @typedef {{group: string, title: string, query: string, fen: string, marks: string[]}} Example */

/** @type {Promise<Example[]>|null} */
let examples = null

let cards = 0

/** @returns {Promise<Example[]>} */
export function load() {
  examples ??= fetch('gallery.json').then((response) => response.json())
  return examples
}

/**
 * Shows all examples in a place. The links are ordinary ones; `db` stays.
 * @param {HTMLElement} host @param {string} db @param {'h2'|'h3'} [heading]
 */
export async function show(host, db, heading = 'h2') {
  const [list] = await Promise.all([load(), ready])
  const groups = [...new Set(list.map((example) => example.group))]
  fill(host, h('div', { class: 'gallery' }, groups.map((group) => h('section', {}, h(heading, {}, group),
    h('ul', { class: 'examples' }, list.filter((example) => example.group === group).map((example) => h('li', {}, card(example, db))))))))
}

/** Some boards with what they are found by, without links: there is nothing to search yet. @param {HTMLElement} host */
export async function taste(host) {
  const [list] = await Promise.all([load(), ready])
  const some = [...new Set(list.map((example) => example.group))].slice(1, 7)
    .map((group) => /** @type {Example} */ (list.find((example) => example.group === group)))
  fill(host, h('ul', { class: 'examples' }, some.map((example) => h('li', { class: 'example' }, picture(example),
    h('span', { class: 'names' }, example.title), h('code', {}, example.query)))))
}

/** @param {Example} example */
function picture(example) {
  const canvas = h('canvas', { 'aria-hidden': 'true' })
  drawSmall(canvas, example.fen, { width: 180, marks: example.marks })
  return canvas
}

/** @param {Example} example @param {string} db */
function card(example, db) {
  const id = `example-${++cards}`
  return [h('a', { class: 'example', href: `./${write({ ...START, db, query: example.query })}`, 'data-inside': true, 'aria-describedby': id },
    picture(example), h('span', { class: 'names' }, example.title), h('code', {}, example.query)),
  h('span', { class: 'unseen', id }, boardInWords(example.fen, example.marks))]
}
