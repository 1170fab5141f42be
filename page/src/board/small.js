// Small boards on canvases, quick enough to draw dozens in one frame. The men are drawn once for each size.

import { FILES } from '../query/pattern.js'
import { picture } from './men.js'

const MEN = 'KQRBNPkqrbnp'
/** @type {Map<string, HTMLImageElement>} */
const images = new Map()
/** Men by their size in device pixels. @type {Map<number, HTMLCanvasElement>} */
const sheets = new Map()
/** Empty boards by the size of a square. @type {Map<number, HTMLCanvasElement>} */
const boards = new Map()
let theme = { light: '#fff', dark: '#999', mark: '#0a0', last: '#cc0' }

/** Done when all pictures are here. A board lacks the men whose picture can't be had. */
export const ready = Promise.all([...MEN].map((letter) => new Promise((done) => {
  const image = new Image()
  image.onload = () => { images.set(letter, image); done(letter) }
  image.onerror = done
  image.src = picture(letter)
})))

/** Reads the colors of the theme from the style sheet. */
export function readTheme() {
  boards.clear()
  // What a name stands for in this theme shows only where it is used.
  const probe = document.createElement('i')
  document.body.append(probe)
  const color = (/** @type {string} */ name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  theme = { light: color('--board-light'), dark: color('--board-dark'), mark: color('--board-mark'), last: color('--board-last') }
  probe.remove()
}

/** @param {number} size  of a square, in device pixels */
function sheetOf(size) {
  let sheet = sheets.get(size)
  if (!sheet) {
    sheet = document.createElement('canvas')
    sheet.width = size * MEN.length
    sheet.height = size
    const context = /** @type {CanvasRenderingContext2D} */ (sheet.getContext('2d'))
    for (const [index, letter] of [...MEN].entries()) {
      const image = images.get(letter)
      if (image) context.drawImage(image, index * size, 0, size, size)
    }
    if (sheets.size > 8) sheets.clear()
    sheets.set(size, sheet)
  }
  return sheet
}

/** @param {number} size  of a square, in device pixels */
function boardOf(size) {
  let board = boards.get(size)
  if (!board) {
    board = document.createElement('canvas')
    board.width = size * 8
    board.height = size * 8
    const context = /** @type {CanvasRenderingContext2D} */ (board.getContext('2d', { alpha: false }))
    context.fillStyle = theme.light
    context.fillRect(0, 0, size * 8, size * 8)
    context.fillStyle = theme.dark
    for (let i = 0; i < 64; i += 1) if ((i + (i >> 3)) % 2) context.fillRect((i % 8) * size, (i >> 3) * size, size, size)
    if (boards.size > 8) boards.clear()
    boards.set(size, board)
  }
  return board
}

/**
 * Draws a position.
 * @param {HTMLCanvasElement} canvas
 * @param {string} fen
 * @param {{width: number, marks?: readonly string[], last?: readonly (string|null)[]}} options  width in pixels of the page
 */
export function drawSmall(canvas, fen, { width, marks = [], last = [] }) {
  const size = Math.max(1, Math.floor((width * (window.devicePixelRatio || 1)) / 8))
  if (canvas.width !== size * 8) { canvas.width = size * 8; canvas.height = size * 8 }
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }))
  context.drawImage(boardOf(size), 0, 0)
  const paint = (/** @type {string|null} */ square, /** @type {string} */ color) => {
    if (!square) return
    context.fillStyle = color
    context.fillRect(FILES.indexOf(square[0]) * size, (8 - Number(square[1])) * size, size, size)
  }
  for (const square of last) if (!marks.includes(square ?? '')) paint(square, theme.last)
  for (const square of marks) paint(square, theme.mark)
  const sheet = sheetOf(size)
  let at = 0
  for (const letter of fen) {
    if (letter === ' ') break
    if (letter === '/') continue
    const empty = Number(letter)
    if (empty) { at += empty; continue }
    context.drawImage(sheet, MEN.indexOf(letter) * size, 0, size, size, (at % 8) * size, (at >> 3) * size, size, size)
    at += 1
  }
}
