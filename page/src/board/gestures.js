// What a press, a drag or a key on a square makes of a pattern. Nothing here draws.

import { carry, place, placeEither, toggleAttack, toggleMove } from '../query/pattern.js'

/** @typedef {import('../query/pattern.js').Pattern} Pattern */
/** @typedef {import('./tools.js').Tool} Tool */

/**
 * A press on one square.
 * @param {Pattern} pattern @param {Tool} tool @param {string} square @param {boolean} either
 * @returns {Pattern}
 */
export function press(pattern, tool, square, either) {
  if (tool.kind === 'men') {
    if (either) return placeEither(pattern, square, tool.letters)
    return place(pattern, square, pattern.men.get(square) === tool.letters ? '' : tool.letters)
  }
  if (tool.kind === 'erase') return clear(pattern, square)
  if (tool.kind === 'move' || tool.kind === 'capture') {
    return toggleMove(pattern, { from: '', to: square, capture: tool.kind === 'capture' })
  }
  return pattern
}

/**
 * A drag from one square to another.
 * @param {Pattern} pattern @param {Tool} tool @param {string} from @param {string} to
 * @returns {Pattern}
 */
export function drag(pattern, tool, from, to) {
  if (tool.kind === 'hand') return carry(pattern, from, to)
  if (tool.kind === 'attack') return toggleAttack(pattern, from, to)
  if (tool.kind === 'move' || tool.kind === 'capture') {
    return toggleMove(pattern, { from, to, capture: tool.kind === 'capture' })
  }
  return pattern
}

/**
 * Takes everything from a square: men, arrows and the move to it.
 * @param {Pattern} pattern @param {string} square
 * @returns {Pattern}
 */
export function clear(pattern, square) {
  const attacks = pattern.attacks.filter((arrow) => arrow.from !== square && arrow.to !== square)
  const move = pattern.move && (pattern.move.to === square || pattern.move.from === square) ? null : pattern.move
  return { ...place(pattern, square, ''), attacks, move }
}
