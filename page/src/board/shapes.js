// Arrows and rings on a board.

import { isSquare } from '../query/pattern.js'

/** @typedef {import('../query/pattern.js').Pattern} Pattern */

/** The colors of arrows; they are set in the style sheet, so that both themes have their own. */
export const BRUSHES = Object.fromEntries(['attack', 'move', 'draft'].map((key) => [key, {
  key, color: `var(--arrow-${key})`, opacity: 0.9, lineWidth: 9,
}]))

const ring = '<circle class="ring-move" cx="50" cy="50" r="42"/>'
const cross = '<path class="ring-capture" d="M8 30V8h22M70 8h22v22M92 70v22H70M30 92H8V70"/>'

/**
 * The arrows and the ring of a pattern.
 * @param {Pattern} pattern
 * @returns {any[]}
 */
export function shapesOf(pattern) {
  const shapes = pattern.attacks.filter((arrow) => isSquare(arrow.from) && isSquare(arrow.to))
    .map((arrow) => ({ orig: arrow.from, dest: arrow.to, brush: 'attack' }))
  const { move } = pattern
  if (!move) return shapes
  return [...shapes, ...(move.from ? [{ orig: move.from, dest: move.to, brush: 'move' }] : []),
    { orig: move.to, customSvg: { html: move.capture ? cross : ring } }]
}
