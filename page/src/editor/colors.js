// Colors of the text: where the program's own reader saw words, men, numbers. Until its next answer is there, the
// colors move along with the text.

import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'

/** @typedef {import('../api/types.js').Token} Token */

/** @type {import('@codemirror/state').StateEffectType<Token[]>} */
const setTokens = StateEffect.define()

/** @type {Map<string, Decoration>} */
const marks = new Map()

/** @param {string} name */
function mark(name) {
  let found = marks.get(name)
  if (!found) {
    found = Decoration.mark({ class: `cql-${name}` })
    marks.set(name, found)
  }
  return found
}

/** @param {Token[]} tokens @param {number} length */
function decorations(tokens, length) {
  const ranges = tokens.filter(({ from, to }) => from < to && to <= length)
    .map(({ from, to, class: name }) => mark(name).range(from, to))
  return Decoration.set(ranges, true)
}

export const colors = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setTokens)) return decorations(effect.value, transaction.newDoc.length)
    }
    return value.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** @param {EditorView} view @param {Token[]} tokens */
export const color = (view, tokens) => view.dispatch({ effects: setTokens.of(tokens) })
