// What the next press on the board does.

/**
 * @typedef {{kind: 'hand'} | {kind: 'men', letters: string} | {kind: 'erase'} | {kind: 'attack'}
 *   | {kind: 'move'} | {kind: 'capture'}} Tool
 */

/** @type {Tool} */
export const HAND = { kind: 'hand' }

/** Whether a drag of this tool goes from one square to another. @param {Tool} tool */
export const drags = (tool) => tool.kind === 'attack' || tool.kind === 'move' || tool.kind === 'capture'

/** @param {Tool} one @param {Tool} other */
export function sameTool(one, other) {
  return one.kind === other.kind && (one.kind !== 'men' || other.kind !== 'men' || one.letters === other.letters)
}

/** Keys on a square that choose what begins there. @type {Record<string, Tool>} */
export const KEYS = { '>': { kind: 'attack' }, m: { kind: 'move' }, x: { kind: 'capture' } }
