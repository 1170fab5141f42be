// Pictures of men, of "any white", "any black", "empty", and of several that a square may have, as CSS classes.

import { LETTERS } from '../query/pattern.js'

const sheet = new CSSStyleSheet()
document.adoptedStyleSheets.push(sheet)
/** @type {Set<string>} */
const known = new Set()

/** @param {string} letter */
export function picture(letter) {
  if (letter === '_') return 'men/empty.svg'
  return `men/${letter === letter.toUpperCase() ? 'w' : 'b'}${letter.toUpperCase()}.svg`
}

/** How many columns and rows of small pictures a square has, by their number. @param {number} count */
function raster(count) {
  return count <= 1 ? 1 : count <= 4 ? 2 : 3
}

/**
 * The class whose background is a picture of all these men.
 * @param {string} letters
 */
export function menClass(letters) {
  const name = `men-${letters}`
  if (known.has(name)) return name
  known.add(name)
  const shown = [...letters].slice(0, 9)
  const steps = raster(shown.length)
  const size = shown.length === 1 ? 100 : shown.length === 2 ? 60 : 100 / steps
  const layers = shown.map((letter, index) => {
    const [column, row] = shown.length === 2 ? [index, index] : [index % steps, Math.floor(index / steps)]
    const at = (/** @type {number} */ i) => (steps === 1 ? 0 : (100 * i) / (steps - 1))
    return `url(${picture(letter)}) ${at(column)}% ${at(row)}% / ${size}% ${size}% no-repeat`
  })
  // As strong as the rules of chessground, which would make every picture as large as the square.
  sheet.insertRule(`.${name}, .cg-wrap piece.${name} { background: ${layers.join(', ')} }`)
  return name
}

/** What chessground draws for letters. @param {string} letters @returns {any} */
export const asPiece = (letters) => ({ color: 'white', role: menClass(letters) })

/** The letters of such a piece. @param {{role: string}} piece */
export const lettersOf = (piece) => piece.role.replace('men-', '')

/** Letters that a keyboard can place. @param {string} key */
export const isLetter = (key) => key.length === 1 && LETTERS.includes(key)
