// A small board in words, for those who can't see it.

import { fromFen, SQUARES } from '../query/pattern.js'
import { capitalized, menInWords } from '../ui/words.js'

/** The roles in the order in which they are listed. */
const ROLES = 'KQRBNP'

/**
 * "White king g1, pawns a2 b2; black king g8; white to move; marked g8".
 * @param {string} fen @param {readonly string[]} [marks]
 */
export function boardInWords(fen, marks = []) {
  const pattern = fromFen(fen)
  if (!pattern) return ''
  const side = (/** @type {string} */ roles) => [...roles].map((letter) => {
    const squares = SQUARES.filter((square) => pattern.men.get(square) === letter).sort()
    const [, role] = menInWords(letter).split(' ')
    return squares.length && `${role}${squares.length > 1 ? 's' : ''} ${squares.join(' ')}`
  }).filter(Boolean).join(', ')
  const [white, black] = [side(ROLES), side(ROLES.toLowerCase())]
  const words = [white && `white ${white}`, black && `black ${black}`, pattern.toMove && `${pattern.toMove} to move`,
    marks.length > 0 && `marked ${marks.join(' ')}`].filter(Boolean).join('; ')
  return capitalized(words)
}
