import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endOf, moveName, reading } from '../src/game/lines.js'
import { analysisSites } from '../src/game/links.js'

/**
 * Positions from a short notation: parent, next, variations, turn, number, SAN.
 * @param {[number|null, number|null, number[], 'white'|'black', number, string|null, object?][]} rows
 */
const positions = (rows) => rows.map(([parent, next, variations, turn, moveNumber, san, more], id) => ({
  id, parent, next, variations, ply: 0, depth: 0, fen: '', turn, moveNumber, san, from: null, to: null, ...more }))

// 1. e4 {best} e5 2. Nf3 (2. f4 exf4 (2... d5)) 2... Nc6, with a comment before the variation 2. f4.
const GAME = positions([
  [null, 1, [], 'white', 1, null, { comment: 'a start' }],
  [0, 2, [], 'black', 1, 'e4', { comment: 'best', glyphs: ['!'] }],
  [1, 3, [5], 'white', 2, 'e5'],
  [2, 4, [], 'black', 2, 'Nf3'],
  [3, null, [], 'white', 3, 'Nc6'],
  [2, 6, [7], 'black', 2, 'f4', { depth: 1, before: 'old' }],
  [5, null, [], 'white', 3, 'exf4', { depth: 1 }],
  [5, null, [], 'white', 3, 'd5', { depth: 2 }],
])

/** @param {import('../src/game/lines.js').Piece[]} pieces */
const text = (pieces) => pieces.map((piece) => {
  if (piece.kind === 'move') return piece.number + piece.san + piece.glyphs
  return piece.kind === 'comment' ? `{${piece.text}}` : piece.kind === 'open' ? '(' : ')'
}).join(' ')

test('moves are read with their variations and comments', () => {
  assert.equal(text(reading(GAME)), '{a start} 1.e4! {best} 1...e5 2.Nf3 ( {old} 2.f4 exf4 ( 2...d5 ) ) 2...Nc6')
})

test('a very long game does not fill the stack', () => {
  const rows = Array.from({ length: 30_000 }, (_, id) => /** @type {any} */ (
    [id ? id - 1 : null, id < 29_999 ? id + 1 : null, [], id % 2 ? 'black' : 'white', 1, id ? 'Kg1' : null]))
  assert.equal(reading(positions(rows)).length, 29_999)
})

test('a line ends where it has no next move', () => {
  assert.deepEqual([0, 3, 5, 7].map((id) => endOf(GAME, id)), [4, 4, 6, 7])
})

test('a move has a name', () => {
  assert.deepEqual([0, 1, 2, 7].map((id) => moveName(GAME, id)), ['start', '1.e4', '1...e5', '2...d5'])
})

test('links to analysis have the whole FEN', () => {
  const [lichess, other] = analysisSites('8/8/8/4k3/8/8/8/4K3 w - - 0 1').map(({ href }) => href)
  assert.equal(lichess, 'https://lichess.org/analysis/standard/8/8/8/4k3/8/8/8/4K3_w_-_-_0_1')
  assert.equal(new URL(other).searchParams.get('fen'), '8/8/8/4k3/8/8/8/4K3 w - - 0 1')
})
