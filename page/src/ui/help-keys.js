// The keys of the page.

import { open } from './dialogs.js'
import { fill, h } from './dom.js'

/** @type {[string, [string, string][]][]} */
const KEYS = [
  ['Anywhere', [['/', 'to the text'], ['b', 'to the board'], ['?', 'this list']]],
  ['On the board of the question', [['arrow keys', 'to another square'], ['K Q R B N P', 'a white man'], ['k q r b n p', 'a black man'],
    ['A, a', 'any white, any black man'], ['_', 'an empty square'], ['Alt with a letter', 'one more that may stand there'],
    ['Delete', 'clears the square'], ['>', 'an attack begins; go to its end and press Enter'],
    ['m, x', 'the next move or capture begins; Enter on the same square: to that square'], ['Escape', 'gives up an arrow']]],
  ['In the text', [['Ctrl+Space', 'what can stand here'], ['Alt+U', 'writes -> as →, and back'], ['Ctrl+Enter', 'asks again']]],
  ['In the answer', [['arrow keys', 'from match to match'], ['Enter', 'opens the game']]],
  ['In a game', [['← →', 'back and forth'], ['↑ ↓', 'the match before, the next match'], ['Home, End', 'to the start, to the end'],
    ['f', 'turns the board'], ['Escape', 'back to the answer']]],
]

export function showKeys() {
  open('Keys', (body) => fill(body, KEYS.map(([title, keys]) => h('section', {}, h('h3', {}, title),
    h('dl', { class: 'keys' }, keys.flatMap(([key, words]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, words)]))))))
}
