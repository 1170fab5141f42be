// CQL back to a pattern, if the board can show all of it. This is not a parser of CQL: whatever it does not know
// makes the whole text one that the board only illustrates.

import { EMPTY, LETTERS, NO_CONDITIONS, isSquare, tidyLetters } from './pattern.js'
import { toAscii } from './spelling.js'

/** @typedef {import('./pattern.js').Pattern} Pattern */

const TOKEN = new RegExp([
  String.raw`\s+`,
  String.raw`(?<![^\s{}])(?<move>(?:[a-h][1-8])?(?:--|\[x\])[a-h][1-8])(?![\w(=])`,
  String.raw`(?<man>(?:\[[KQRBNPkqrbnpAa_]+\]|[KQRBNPkqrbnpAa_])?[a-h][1-8]|\[[KQRBNPkqrbnpAa_]+\]|[KQRBNPkqrbnpAa_])(?![\w[])`,
  String.raw`(?<result>1-0|0-1|1/2-1/2)(?!\w)`,
  String.raw`(?<number>\d+)(?!\w)`,
  String.raw`(?<text>"[^"\n]*")`,
  String.raw`(?<word>[a-z]+)(?!\w)`,
  String.raw`(?<sign>->|>=|<=|==|[{}])`,
].join('|'), 'y')

/** @typedef {{ kind: string, text: string }} Token */

/** @param {string} text @returns {Token[]|null} */
function tokens(text) {
  const found = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (!match) return null
    const named = Object.entries(match.groups ?? {}).find(([, value]) => value !== undefined)
    if (named) found.push({ kind: named[0], text: String(named[1]) })
  }
  return found
}

/** A pattern under construction, and a cursor on the tokens. */
class Reader {
  /** @param {Token[]} list */
  constructor(list) {
    this.list = list
    this.at = 0
    this.pattern = { ...EMPTY, men: new Map(), attacks: /** @type {import('./pattern.js').Attack[]} */ ([]),
      game: { ...NO_CONDITIONS } }
  }

  get token() { return this.list[this.at] ?? { kind: 'end', text: '' } }

  /** Takes the next token if it is this text. @param {string} text */
  take(text) {
    if (this.token.text !== text) return false
    this.at += 1
    return true
  }

  next() { return this.list[this.at++] ?? { kind: 'end', text: '' } }
}

/** What the board cannot show. */
class NotOnBoard extends Error {}

/** @param {unknown} condition @returns {asserts condition} */
function need(condition) {
  if (!condition) throw new NotOnBoard()
}

/**
 * The pattern that prints as this text, up to order and spelling.
 * @param {string} text
 * @returns {Pattern|null} null if the board cannot show all of it
 */
export function read(text) {
  const list = tokens(toAscii(text))
  if (!list) return null
  const reader = new Reader(list)
  try {
    query(reader)
    return reader.pattern
  } catch (error) {
    if (error instanceof NotOnBoard) return null
    throw error
  }
}

/** @param {Reader} reader */
function query(reader) {
  let groups = 0
  let loose = 0
  while (reader.token.kind !== 'end') {
    if (transform(reader)) {
      while (transform(reader));
      groups += 1
      if (reader.take('{')) {
        need(!reader.take('}'))
        while (!reader.take('}')) need(positional(reader))
      } else need(positional(reader))
    } else if (positional(reader)) loose += 1
    else need(condition(reader))
  }
  need(groups === 0 || (groups === 1 && loose === 0))
}

/** @param {Reader} reader */
function transform(reader) {
  const { pattern } = reader
  if (reader.take('flipcolor')) { need(!pattern.eitherColor); pattern.eitherColor = true; return true }
  if (reader.take('shift')) { need(!pattern.shift); pattern.shift = true; return true }
  if (reader.take('flipvertical')) { need(!pattern.mirror); pattern.mirror = 'vertical'; return true }
  if (reader.take('flip')) { need(!pattern.mirror); pattern.mirror = 'all'; return true }
  return false
}

/** @param {Reader} reader */
function positional(reader) {
  const { pattern, token } = reader
  if (token.kind === 'man') { man(reader); return true }
  if (token.kind === 'move') {
    need(!pattern.move)
    const [from, to] = reader.next().text.split(/--|\[x\]/)
    pattern.move = { from, to, capture: token.text.includes('[x]') }
    return true
  }
  if (token.text === 'wtm' || token.text === 'btm') {
    need(!pattern.toMove)
    pattern.toMove = reader.next().text === 'wtm' ? 'white' : 'black'
    return true
  }
  if (token.text === 'check' || token.text === 'mate' || token.text === 'stalemate') {
    need(!pattern.state)
    pattern.state = token.text
    reader.next()
    return true
  }
  return false
}

/** A man, or an arrow between two. @param {Reader} reader */
function man(reader) {
  const from = reader.next().text
  if (!reader.take('->') && !reader.take('attacks')) { stand(reader.pattern, from); return }
  need(reader.token.kind === 'man')
  const to = reader.next().text
  need(reader.token.text !== '->' && reader.token.text !== 'attacks')
  const arrow = { from: arrowEnd(reader.pattern, from), to: arrowEnd(reader.pattern, to) }
  need(!reader.pattern.attacks.some((other) => other.from === arrow.from && other.to === arrow.to))
  reader.pattern.attacks.push(arrow)
}

/** Letters and square of a designator. @param {string} text */
function parts(text) {
  const square = isSquare(text.slice(-2)) ? text.slice(-2) : ''
  const letters = text.slice(0, text.length - square.length).replace(/[[\]]/g, '')
  need(new Set(letters).size === letters.length)
  return { letters: tidyLetters(letters), square }
}

/** @param {{men: Map<string, string>, anywhere: string}} pattern @param {string} text */
function stand(pattern, text) {
  const { letters, square } = parts(text)
  need(letters)
  if (square) {
    need(!pattern.men.has(square))
    pattern.men.set(square, letters)
  } else {
    need(letters.length === 1 && !pattern.anywhere.includes(letters))
    pattern.anywhere = [...LETTERS].filter((letter) => (pattern.anywhere + letters).includes(letter)).join('')
  }
}

/** The end of an arrow; a man with its square is also placed. @param {{men: Map<string, string>, anywhere: string}} pattern @param {string} text */
function arrowEnd(pattern, text) {
  const { letters, square } = parts(text)
  if (!square) return letters
  if (letters && pattern.men.get(square) !== letters) stand(pattern, text)
  return square
}

/** @param {Reader} reader */
function condition(reader) {
  const { game } = reader.pattern
  const word = reader.next().text
  if (word === 'player') {
    need(!game.player)
    if (reader.take('white')) game.playerColor = 'white'
    else if (reader.take('black')) game.playerColor = 'black'
    game.player = text(reader)
  } else if (word === 'eco') {
    need(!game.opening)
    game.opening = text(reader)
  } else if (word === 'result') {
    need(!game.result && reader.token.kind === 'result')
    game.result = /** @type {'1-0'|'0-1'|'1/2-1/2'} */ (reader.next().text)
  } else if (word === 'year') year(reader)
  else if (word === 'elo') {
    need(game.rating === null && reader.take('>='))
    game.rating = number(reader)
  } else return false
  return true
}

/** @param {Reader} reader */
function year(reader) {
  const { game } = reader.pattern
  const sign = reader.next().text
  need(sign === '>=' || sign === '<=' || sign === '==')
  const value = number(reader)
  if (sign !== '<=') { need(game.yearFrom === null); game.yearFrom = value }
  if (sign !== '>=') { need(game.yearTo === null); game.yearTo = value }
}

/** @param {Reader} reader */
function number(reader) {
  need(reader.token.kind === 'number')
  return Number(reader.next().text)
}

/** @param {Reader} reader */
function text(reader) {
  need(reader.token.kind === 'text' && reader.token.text.length > 2)
  return reader.next().text.slice(1, -1)
}
