// Documentation of words: on hover, and beside completions.

import { hoverTooltip } from '@codemirror/view'
import { h } from '../ui/dom.js'

/** @typedef {import('../api/types.js').Form} Form */
/** @typedef {import('../api/types.js').Check} Check */

/** Text with `code` between backquotes. @param {string} text */
export function prose(text) {
  return text.split('`').map((part, index) => (index % 2 ? h('code', {}, part) : part))
}

/** A code at length, with its examples. @param {import('../api/types.js').ErrorExplanation} found */
export function explanation({ title, text, wrong, condition, right }) {
  const example = (/** @type {string} */ name, /** @type {string|null} */ query) => (query === null ? []
    : [h('p', { class: 'caption' }, name), h('pre', {}, h('code', {}, query))])
  // Links lead to chapters that the page does not have; their texts stay.
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return [h('p', {}, h('b', {}, ...prose(`${title}. `)), ...prose(plain)),
    ...example(condition ? `Wrong, ${condition}` : 'Wrong', wrong), ...example('Right', right)]
}

/** @param {readonly Form[]} forms */
export function documentation(forms) {
  return h('div', { class: 'help' }, forms.slice(0, 6).map((form) => h('div', { class: 'form' },
    h('code', { class: 'form-text' }, form.form), h('p', {}, ...prose(form.meaning)))))
}

/**
 * Shows what the program says about the word under the pointer.
 * @param {(text: string, at: number) => Promise<Check|null>} check
 */
export const hover = (check) => hoverTooltip(async (view, at) => {
  const here = (await check(view.state.doc.toString(), at))?.here
  if (!here || !here.forms.length || here.to > view.state.doc.length) return null
  return { pos: here.from, end: here.to, above: false, create: () => ({ dom: documentation(here.forms) }) }
}, { hoverTime: 350 })
