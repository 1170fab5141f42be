import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as p from '../src/query/pattern.js'
import { print } from '../src/query/print.js'
import { read } from '../src/query/read.js'
import { toAscii, toSymbols } from '../src/query/spelling.js'

const game = (/** @type {object} */ conditions) => ({ ...p.EMPTY, game: { ...p.NO_CONDITIONS, ...conditions } })

/** Text and what it is on the board. */
const PAIRS = [
  ['', p.EMPTY],
  ['Kg1', p.place(p.EMPTY, 'g1', 'K')],
  ['Bh7 [QR]e2 _e4', p.place(p.place(p.place(p.EMPTY, 'h7', 'B'), 'e2', 'RQ'), 'e4', '_')],
  ['Q r', p.toggleAnywhere(p.EMPTY, 'rQ')],
  ['Nf3 f3->e5', p.toggleAttack(p.place(p.EMPTY, 'f3', 'N'), 'f3', 'e5')],
  ['N->[kq]', p.toggleAttack(p.EMPTY, 'N', 'kq')],
  ['wtm check', { ...p.EMPTY, toMove: 'white', state: 'check' }],
  ['btm mate', { ...p.EMPTY, toMove: 'black', state: 'mate' }],
  ['--e4', { ...p.EMPTY, move: { from: '', to: 'e4', capture: false } }],
  ['d4[x]e5', { ...p.EMPTY, move: { from: 'd4', to: 'e5', capture: true } }],
  ['flipcolor flipvertical shift { Pd4 pd5 }', {
    ...p.place(p.place(p.EMPTY, 'd4', 'P'), 'd5', 'p'), eitherColor: true, mirror: 'vertical', shift: true }],
  ['flip { Ka1 } year == 1960', { ...p.place(game({ yearFrom: 1960, yearTo: 1960 }), 'a1', 'K'), mirror: 'all' }],
  ['player white "Tal" year >= 1950 year <= 1970 elo >= 2500 result 1/2-1/2 eco "B9"', game({
    player: 'Tal', playerColor: 'white', yearFrom: 1950, yearTo: 1970, rating: 2500, result: '1/2-1/2', opening: 'B9' })],
]

for (const [text, pattern] of PAIRS) {
  test(`the board writes and reads ${text || 'nothing'}`, () => {
    assert.equal(print(pattern), text)
    assert.deepEqual(read(text), pattern)
  })

  test(`the board reads ${text || 'nothing'} in symbols`, () => {
    assert.deepEqual(read(toSymbols(text)), pattern)
  })
}

test('what another order or spelling says is the same on the board', () => {
  assert.equal(print(/** @type {p.Pattern} */ (read('result 1-0 Nf3 attacks pe5'))), 'Nf3 pe5 f3->e5 result 1-0')
  assert.equal(print(/** @type {p.Pattern} */ (read('shift flipcolor Pd4 year<=1900'))), 'flipcolor shift { Pd4 } year <= 1900')
})

test('what the board cannot show is not read', () => {
  const texts = [
    'not Kg1', 'Kg1 or Kh1', 'R[d1,e1]', 'Ra-h7', 'Ra1 Qa1', 'Q Q', 'Q->R->k', 'shift Pd4 Pe4', 'flip { }', '{ Kg1 }',
    'flipcolor { Kg1 result 1-0 }', 'shift Ka1 shift Qa1', 'Kg1 ; a comment', 'mate check', '--e4(check)', 'P--e4',
    '--e8=Q', 'player', 'player "', 'year > 1900', 'elo white >= 2000', 'Kg1 #A', 'wtm btm', 'Kg1)', 'x = 3', '[QQ]e4',
    'Kg1Q', 'result', 'flip 2 Ka1', 'RR', 'Ka1[x]',
  ]
  for (const text of texts) assert.equal(read(text), null, text)
})

test('a man taken along takes its arrows', () => {
  let pattern = p.toggleAttack(p.place(p.place(p.EMPTY, 'f3', 'N'), 'e5', 'p'), 'f3', 'e5')
  pattern = p.carry(pattern, 'f3', 'd3')
  assert.equal(print(pattern), 'Nd3 pe5 d3->e5')
  assert.equal(print(p.carry(pattern, 'd3', 'e5')), 'Ne5')
})

test('any white includes the white men', () => {
  assert.equal(print(p.placeEither(p.place(p.EMPTY, 'e4', 'QNk'), 'e4', 'A')), '[kA]e4')
  assert.equal(print(p.placeEither(p.place(p.EMPTY, 'e4', 'QN'), 'e4', 'N')), 'Qe4')
  assert.equal(print(p.placeEither(p.place(p.EMPTY, 'e4', 'N'), 'e4', 'N')), '')
})

test('the same move again takes it away', () => {
  const move = { from: '', to: 'e4', capture: false }
  assert.equal(p.toggleMove(p.toggleMove(p.EMPTY, move), move).move, null)
  assert.equal(print(p.toggleMove(p.toggleMove(p.EMPTY, move), { ...move, capture: true })), '[x]e4')
})

test('a FEN fills the board', () => {
  assert.equal(print(/** @type {p.Pattern} */ (p.fromFen('8/8/8/4k3/8/8/8/R3K3 b Q - 0 1'))), 'ke5 Ra1 Ke1 btm')
  for (const bad of ['', '8/8', '9/8/8/8/8/8/8/8 w', '7/8/8/8/8/8/8/8 w', '8/8/8/8/8/8/8/x7 w']) assert.equal(p.fromFen(bad), null)
})

test('text from a name cannot end the string', () => {
  assert.equal(print(game({ player: 'a" mate "' })), 'player "a mate "')
})

test('symbols that touch are one designator', () => {
  assert.equal(toAscii('♖♜d1 ♘→♚ ――e4 ×d5 ⬓✵{♔g1}'), '[Rr]d1 N->k --e4 [x]d5 flipcolor flip {Kg1}')
})
