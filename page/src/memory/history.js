// The questions that were asked here before, the newest first. They stay in this browser.

/** @typedef {{search: string, query: string, positions: number|null, at: number}} Entry */

const KEY = 'cqldex-history'
const MOST = 200

/** @returns {Entry[]} */
export function entries() {
  try {
    const list = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter((entry) => typeof entry?.query === 'string' && typeof entry.search === 'string') : []
  } catch {
    return []
  }
}

/**
 * Puts an entry first. One that only continues the entry before it, typed a moment ago, takes its place.
 * @param {Entry[]} list @param {Entry} entry @returns {Entry[]}
 */
export function added(list, entry) {
  const [newest] = list
  const continued = newest && entry.at - newest.at < 15_000 &&
    (entry.query.startsWith(newest.query) || newest.query.startsWith(entry.query))
  const rest = continued ? list.slice(1) : list
  return [entry, ...rest.filter((other) => other.search !== entry.search)].slice(0, MOST)
}

/** @param {Entry} entry */
export function remember(entry) {
  try {
    localStorage.setItem(KEY, JSON.stringify(added(entries(), entry)))
  } catch { /* The browser keeps nothing: then there is no history. */ }
}

export function forget() {
  try {
    localStorage.removeItem(KEY)
  } catch { /* Nothing was kept. */ }
}
