// What screen readers announce. What comes quickly one after the other is announced together.

import { byId } from './dom.js'

let timer = 0
/** @type {string[]} */
let waiting = []

/** @param {string} words */
export function say(words) {
  if (!words || waiting.includes(words)) return
  waiting.push(words)
  clearTimeout(timer)
  timer = window.setTimeout(() => {
    // A dialog hides what is behind it from screen readers too, so it has a place of its own.
    const live = document.querySelector('dialog[open] .live') ?? byId('live')
    const text = waiting.join('. ')
    waiting = []
    live.textContent = live.textContent === text ? `${text} ` : text
  }, 150)
}
