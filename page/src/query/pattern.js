// What the board can ask for, as plain data. Every change makes a new pattern; none is changed in place.

/**
 * @typedef {Object} Attack
 * @property {string} from  a square, or letters of men anywhere on the board
 * @property {string} to    the same
 *
 * @typedef {Object} Step  a move of the game from the position
 * @property {string} from      a square, or '' for any
 * @property {string} to        a square
 * @property {boolean} capture
 *
 * @typedef {Object} GameConditions
 * @property {string} player
 * @property {''|'white'|'black'} playerColor
 * @property {number|null} yearFrom
 * @property {number|null} yearTo
 * @property {number|null} rating   at least, of the higher rated player
 * @property {''|'1-0'|'0-1'|'1/2-1/2'} result
 * @property {string} opening       the beginning of an ECO code
 *
 * @typedef {Object} Pattern
 * @property {ReadonlyMap<string, string>} men  square to letters, in the order in which they were placed
 * @property {string} anywhere      letters of men that stand somewhere
 * @property {readonly Attack[]} attacks
 * @property {Step|null} move
 * @property {''|'white'|'black'} toMove
 * @property {''|'check'|'mate'|'stalemate'} state
 * @property {''|'vertical'|'all'} mirror
 * @property {boolean} shift
 * @property {boolean} eitherColor
 * @property {GameConditions} game
 */

/** All letters of men in the order in which they are written: pieces, any white, any black, empty. */
export const LETTERS = 'KQRBNPkqrbnpAa_'

export const FILES = 'abcdefgh'

/** The squares in the order of a diagram: a8 to h8, then a7, down to h1. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => FILES[i % 8] + (8 - Math.floor(i / 8)))

/** @type {GameConditions} */
export const NO_CONDITIONS = {
  player: '', playerColor: '', yearFrom: null, yearTo: null, rating: null, result: '', opening: '',
}

/** @type {Pattern} */
export const EMPTY = {
  men: new Map(), anywhere: '', attacks: [], move: null, toMove: '', state: '',
  mirror: '', shift: false, eitherColor: false, game: NO_CONDITIONS,
}

/** @param {string} text */
export const isSquare = (text) => /^[a-h][1-8]$/.test(text)

/**
 * Letters without repetition, in the order of `LETTERS`, without those that "any white" or "any black" includes.
 * @param {string} letters
 */
export function tidyLetters(letters) {
  let kept = [...LETTERS].filter((letter) => letters.includes(letter))
  if (kept.includes('A')) kept = kept.filter((letter) => !'KQRBNP'.includes(letter))
  if (kept.includes('a')) kept = kept.filter((letter) => !'kqrbnp'.includes(letter))
  return kept.join('')
}

/**
 * Puts letters on a square in place of what stands there; '' clears it.
 * @param {Pattern} pattern @param {string} square @param {string} letters
 * @returns {Pattern}
 */
export function place(pattern, square, letters) {
  const men = new Map(pattern.men)
  const tidy = tidyLetters(letters)
  if (tidy) men.set(square, tidy)
  else men.delete(square)
  return { ...pattern, men }
}

/**
 * Adds letters to those that a square may have, or takes them away if it has them all.
 * @param {Pattern} pattern @param {string} square @param {string} letters
 */
export function placeEither(pattern, square, letters) {
  const old = pattern.men.get(square) ?? ''
  const has = [...letters].every((letter) => old.includes(letter))
  return place(pattern, square, has ? [...old].filter((l) => !letters.includes(l)).join('') : old + letters)
}

/**
 * Moves what stands on a square, with the arrows that begin or end there. What stood on the other square is gone.
 * @param {Pattern} pattern @param {string} from @param {string} to
 * @returns {Pattern}
 */
export function carry(pattern, from, to) {
  const men = new Map()
  for (const [square, letters] of pattern.men) {
    if (square === from) men.set(to, letters)
    else if (square !== to) men.set(square, letters)
  }
  const end = (/** @type {string} */ square) => (square === from ? to : square)
  const attacks = pattern.attacks
    .map((arrow) => ({ from: end(arrow.from), to: end(arrow.to) }))
    .filter((arrow) => arrow.from !== arrow.to)
  return { ...pattern, men, attacks: unique(attacks) }
}

/** @param {readonly Attack[]} attacks */
function unique(attacks) {
  const seen = new Map(attacks.map((arrow) => [`${arrow.from}>${arrow.to}`, arrow]))
  return [...seen.values()]
}

/**
 * Adds an arrow, or takes it away if it is there.
 * @param {Pattern} pattern @param {string} from @param {string} to
 * @returns {Pattern}
 */
export function toggleAttack(pattern, from, to) {
  if (from === to) return pattern
  const others = pattern.attacks.filter((arrow) => arrow.from !== from || arrow.to !== to)
  if (others.length < pattern.attacks.length) return { ...pattern, attacks: others }
  return { ...pattern, attacks: [...others, { from, to }] }
}

/**
 * Says which move follows; the same move again takes it away.
 * @param {Pattern} pattern @param {Step} move
 * @returns {Pattern}
 */
export function toggleMove(pattern, move) {
  const same = pattern.move && pattern.move.from === move.from && pattern.move.to === move.to &&
    pattern.move.capture === move.capture
  return { ...pattern, move: same ? null : move }
}

/**
 * Men that stand anywhere: adds them, or takes them away if all are there.
 * @param {Pattern} pattern @param {string} letters
 * @returns {Pattern}
 */
export function toggleAnywhere(pattern, letters) {
  const has = [...letters].every((letter) => pattern.anywhere.includes(letter))
  const next = has ? [...pattern.anywhere].filter((l) => !letters.includes(l)).join('') : pattern.anywhere + letters
  return { ...pattern, anywhere: [...LETTERS].filter((letter) => next.includes(letter)).join('') }
}

/** @param {Pattern} pattern */
export function isEmpty(pattern) {
  const { men, anywhere, attacks, move, toMove, state, game } = pattern
  const conditions = Object.entries(game).some(([key, value]) => key !== 'playerColor' && value)
  return !men.size && !anywhere && !attacks.length && !move && !toMove && !state && !conditions
}

/**
 * A pattern that asks for the placement of a FEN.
 * @param {string} fen
 * @returns {Pattern|null} null if the text is not a FEN
 */
export function fromFen(fen) {
  const [placement, side] = fen.trim().split(/\s+/)
  const rows = placement?.split('/') ?? []
  if (rows.length !== 8) return null
  /** @type {Map<string, string>} */
  const men = new Map()
  for (const [index, row] of rows.entries()) {
    let file = 0
    for (const letter of row) {
      if (/[1-8]/.test(letter)) file += Number(letter)
      else if (/[KQRBNPkqrbnp]/.test(letter)) men.set(FILES[file++] + (8 - index), letter)
      else return null
      if (file > 8) return null
    }
    if (file !== 8) return null
  }
  const toMove = side === 'b' ? 'black' : side === 'w' ? 'white' : ''
  return { ...EMPTY, men, toMove }
}
