// The question in the address of the page, so that it can be kept, sent and gone back to.

/**
 * @typedef {Object} Place
 * @property {string} query
 * @property {string[]} within
 * @property {string[]} notWithin
 * @property {boolean} variations
 * @property {string} db       '' is the default database
 * @property {string} view     'boards', 'table', 'pictures' or 'plan'
 * @property {string} order
 * @property {{game: number, position: number|null}|null} game  a game that is looked at
 */

export const VIEWS = ['boards', 'table', 'pictures', 'plan']
export const ORDERS = ['found', 'year', '-year', 'rating', '-rating', 'white', 'black', 'matches']

/** @type {Place} */
export const START = { query: '', within: [], notWithin: [], variations: false, db: '', view: 'boards', order: 'found', game: null }

/**
 * What is after the question mark of the address; '' for the start.
 * @param {Place} place
 */
export function write(place) {
  const parameters = new URLSearchParams()
  if (place.db) parameters.set('db', place.db)
  if (place.query.trim()) parameters.set('q', place.query)
  for (const name of place.within) parameters.append('in', name)
  for (const name of place.notWithin) parameters.append('out', name)
  if (place.variations) parameters.set('variations', '1')
  if (place.view !== START.view) parameters.set('view', place.view)
  if (place.order !== START.order) parameters.set('order', place.order)
  if (place.game) {
    parameters.set('game', place.game.position === null ? String(place.game.game) : `${place.game.game}.${place.game.position}`)
  }
  return parameters.size ? `?${parameters}` : ''
}

/**
 * The place that an address tells; what it can't tell is as at the start.
 * @param {string} search @returns {Place}
 */
export function read(search) {
  const parameters = new URLSearchParams(search)
  const one = (/** @type {string} */ name, /** @type {string[]} */ allowed) => {
    const value = parameters.get(name) ?? ''
    return allowed.includes(value) ? value : allowed[0]
  }
  const game = /^(\d+)(?:\.(\d+))?$/.exec(parameters.get('game') ?? '')
  return {
    query: parameters.get('q') ?? '',
    within: parameters.getAll('in'),
    notWithin: parameters.getAll('out'),
    variations: parameters.get('variations') === '1',
    db: parameters.get('db') ?? '',
    view: one('view', VIEWS),
    order: one('order', ORDERS),
    game: game ? { game: Number(game[1]), position: game[2] === undefined ? null : Number(game[2]) } : null,
  }
}
