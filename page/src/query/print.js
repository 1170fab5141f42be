// A pattern as CQL: always the same text for the same pattern.

import { isSquare } from './pattern.js'

/** @typedef {import('./pattern.js').Pattern} Pattern */

/** @param {string} letters */
const designator = (letters) => (letters.length === 1 ? letters : `[${letters}]`)

/** @param {string} end  a square, or letters */
const arrowEnd = (end) => (isSquare(end) ? end : designator(end))

/** @param {string} text */
const quoted = (text) => `"${text.replaceAll('"', '')}"`

/** @param {Pattern} pattern */
function positional(pattern) {
  const filters = []
  for (const [square, letters] of pattern.men) filters.push(designator(letters) + square)
  for (const letter of pattern.anywhere) filters.push(letter)
  for (const { from, to } of pattern.attacks) filters.push(`${arrowEnd(from)}->${arrowEnd(to)}`)
  if (pattern.toMove) filters.push(pattern.toMove === 'white' ? 'wtm' : 'btm')
  if (pattern.state) filters.push(pattern.state)
  if (pattern.move) filters.push(pattern.move.from + (pattern.move.capture ? '[x]' : '--') + pattern.move.to)
  return filters
}

/** @param {Pattern} pattern */
function transforms(pattern) {
  const words = []
  if (pattern.eitherColor) words.push('flipcolor')
  if (pattern.mirror) words.push(pattern.mirror === 'all' ? 'flip' : 'flipvertical')
  if (pattern.shift) words.push('shift')
  return words
}

/** @param {Pattern} pattern */
function conditions({ game }) {
  const filters = []
  if (game.player) filters.push(['player', game.playerColor, quoted(game.player)].filter(Boolean).join(' '))
  if (game.yearFrom !== null && game.yearFrom === game.yearTo) filters.push(`year == ${game.yearFrom}`)
  else {
    if (game.yearFrom !== null) filters.push(`year >= ${game.yearFrom}`)
    if (game.yearTo !== null) filters.push(`year <= ${game.yearTo}`)
  }
  if (game.rating !== null) filters.push(`elo >= ${game.rating}`)
  if (game.result) filters.push(`result ${game.result}`)
  if (game.opening) filters.push(`eco ${quoted(game.opening)}`)
  return filters
}

/**
 * The pattern as CQL in ASCII; '' if it asks for nothing.
 * @param {Pattern} pattern
 * @returns {string}
 */
export function print(pattern) {
  const filters = positional(pattern)
  const around = filters.length ? transforms(pattern) : []
  const body = around.length ? [...around, '{', ...filters, '}'] : filters
  return [...body, ...conditions(pattern)].join(' ')
}
