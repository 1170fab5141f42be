// The symbols of CQL in both spellings, as far as the board writes and reads them. The program converts whole texts.

/** @type {ReadonlyArray<readonly [string, string]>} */
const PAIRS = [
  ['♔', 'K'], ['♕', 'Q'], ['♖', 'R'], ['♗', 'B'], ['♘', 'N'], ['♙', 'P'],
  ['♚', 'k'], ['♛', 'q'], ['♜', 'r'], ['♝', 'b'], ['♞', 'n'], ['♟', 'p'],
  ['△', 'A'], ['▲', 'a'], ['□', '_'], ['→', '->'], ['≤', '<='], ['≥', '>='],
  ['――', '--'], ['×', '[x]'], ['⬓', 'flipcolor'], ['✵', 'flip'],
]

const SYMBOLS = new Map(PAIRS)
const MEN = '♔♕♖♗♘♙♚♛♜♝♞♟△▲◭□'

/**
 * Symbols to ASCII. Symbols of men that touch are one designator: ♖♜d1 is [Rr]d1.
 * @param {string} text
 */
export function toAscii(text) {
  return text
    .replace(new RegExp(`[${MEN}]+`, 'gu'), (men) => {
      const letters = [...men].map((man) => (man === '◭' ? 'Aa' : SYMBOLS.get(man))).join('')
      return letters.length === 1 ? letters : `[${letters}]`
    })
    .replace(/――|[→≤≥×]|[⬓✵]\s*/gu, (symbol) => {
      const word = SYMBOLS.get(symbol.trim()) ?? symbol
      return /[⬓✵]/u.test(symbol) ? `${word} ` : word
    })
}

/** Whether a text uses symbols. @param {string} text */
export const hasSymbols = (text) => /[♔-♟△▲◭□→≤≥≠―×⬓✵∩∪◎⊢∙]/u.test(text)

/**
 * What `print` wrote, with symbols.
 * @param {string} text
 */
export function toSymbols(text) {
  const signs = new Map(PAIRS.map(([symbol, ascii]) => [ascii, symbol]))
  const men = (/** @type {string} */ letters) => [...letters].map((letter) => signs.get(letter)).join('')
  return text.split(/("[^"]*")/).map((part) => (part.startsWith('"') ? part : part
    .replace(/\[x\]|--|->|<=|>=|\bflipcolor\b|\bflip\b/g, (word) => signs.get(word) ?? word)
    .replace(/\[([KQRBNPkqrbnpAa_]+)\]/g, (_, letters) => men(letters))
    .replace(/(?<![\w$])[KQRBNPkqrbnpAa_](?=[a-h][1-8]\b|\b|(?<=_))/g, (letter) => signs.get(letter) ?? letter))).join('')
}
