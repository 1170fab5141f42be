// Numbers, times and names in plain words.

const NUMBER = new Intl.NumberFormat('en')

/** @param {number} value */
export const number = (value) => NUMBER.format(value)

/** "1 game", "2,000 games". @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`

/** @param {string|undefined} words */
export const capitalized = (words = '') => words.charAt(0).toUpperCase() + words.slice(1)

/** A time in the unit that reads best. @param {number} ms */
export function time(ms) {
  if (ms < 1) return `${Math.max(1, Math.round(ms * 1000))} µs`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} bytes`
  const units = ['kB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) { value /= 1000; unit += 1 }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

/** "Kasparov, Garry" to "Kasparov"; other names as they are. @param {string} name */
export function surname(name) {
  const comma = name.indexOf(',')
  return comma > 0 ? name.slice(0, comma) : name
}

/** "1/2-1/2" to "½–½". @param {string} result */
export const score = (result) => (result === '1/2-1/2' ? '½–½' : result === '*' ? '–' : result.replace('-', '–'))

/** @type {Record<string, string>} */
const MEN = {
  K: 'white king', Q: 'white queen', R: 'white rook', B: 'white bishop', N: 'white knight', P: 'white pawn',
  k: 'black king', q: 'black queen', r: 'black rook', b: 'black bishop', n: 'black knight', p: 'black pawn',
  A: 'any white man', a: 'any black man', _: 'empty',
}

/** "white queen or white rook". @param {string} letters */
export const menInWords = (letters) => [...letters].map((letter) => MEN[letter]).join(' or ')
