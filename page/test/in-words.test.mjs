import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boardInWords } from '../src/board/in-words.js'

test('a board is told by sides, men and squares', () => {
  assert.equal(boardInWords('r5k1/5ppp/8/8/8/8/1P3PPP/R3R1K1 b - - 0 20', ['g8', 'e1']),
    'White king g1, rooks a1 e1, pawns b2 f2 g2 h2; black king g8, rook a8, pawns f7 g7 h7; black to move; marked g8 e1')
  assert.equal(boardInWords('8/8/8/3n4/8/8/8/8 w'), 'Black knight d5; white to move')
  assert.equal(boardInWords('8/8/8/8/8/8/8/8 w'), 'White to move')
  assert.equal(boardInWords('no FEN'), '')
})
