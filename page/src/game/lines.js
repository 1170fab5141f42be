// The moves of a game in the order in which they are read: a move, the variations to it, then what follows it.

/** @typedef {import('../api/types.js').Position} Position */

/**
 * @typedef {{kind: 'move', id: number, number: string, san: string, glyphs: string}
 *   | {kind: 'comment', text: string}
 *   | {kind: 'open', depth: number}
 *   | {kind: 'close', depth: number}} Piece
 */

/**
 * The number before a move: always before White's, and before Black's where it begins something.
 * @param {Position} before @param {boolean} fresh
 */
function numberOf(before, fresh) {
  if (before.turn === 'white') return `${before.moveNumber}.`
  return fresh ? `${before.moveNumber}...` : ''
}

/** @param {readonly Position[]} positions  by id @returns {Piece[]} */
export function reading(positions) {
  /** @type {Piece[]} */
  const pieces = []
  const start = positions[0]
  if (start?.comment) pieces.push({ kind: 'comment', text: start.comment })
  /**
   * What is still to be written, the next last. A game of thousands of moves and deep variations must not fill the
   * stack of calls.
   * @type {(() => void)[]}
   */
  const todo = []

  /** @param {Position} before @param {number} id @param {boolean} fresh */
  function move(before, id, fresh) {
    const position = positions[id]
    if (position.before) pieces.push({ kind: 'comment', text: position.before })
    pieces.push({ kind: 'move', id, number: numberOf(before, fresh || Boolean(position.before)), san: position.san ?? '--',
      glyphs: (position.glyphs ?? []).join(' ') })
    if (position.comment) pieces.push({ kind: 'comment', text: position.comment })
  }

  /** @param {Position} position @param {boolean} fresh */
  function follow(position, fresh) {
    if (position.next === null) return
    const next = positions[position.next]
    move(position, next.id, fresh)
    todo.push(() => follow(next, Boolean(next.comment) || position.variations.length > 0))
    for (const id of [...position.variations].reverse()) {
      todo.push(() => {
        pieces.push({ kind: 'open', depth: positions[id].depth })
        todo.push(() => pieces.push({ kind: 'close', depth: positions[id].depth }))
        move(position, id, true)
        todo.push(() => follow(positions[id], Boolean(positions[id].comment)))
      })
    }
  }

  if (start) follow(start, true)
  for (let step = todo.pop(); step; step = todo.pop()) step()
  return pieces
}

/** The last position of the line that goes on from here. @param {readonly Position[]} positions @param {number} id */
export function endOf(positions, id) {
  let at = id
  for (let next = positions[at].next; next !== null; next = positions[at].next) at = next
  return at
}

/** "12...Nf6", for titles and screen readers. @param {readonly Position[]} positions @param {number} id */
export function moveName(positions, id) {
  const position = positions[id]
  if (position.parent === null || !position.san) return 'start'
  return numberOf(positions[position.parent], true) + position.san
}
