// Writes the address of the page, no more often than browsers allow.

/** Between two changes of the same entry, in milliseconds. Browsers refuse more than a hundred in some seconds. */
const PAUSE = 200

/** The address that waits to be written. @type {string|null} */
let waiting = null
let timer = 0

/** Writes what waits. */
export function flush() {
  clearTimeout(timer)
  timer = 0
  if (waiting !== null) window.history.replaceState(null, '', waiting)
  waiting = null
}

/** Gives up what waits: another entry of the history is shown. */
export function forget() {
  clearTimeout(timer)
  timer = 0
  waiting = null
}

/** A new entry of the history. @param {string} search  what follows the path; '' is the start */
export function push(search) {
  flush()
  if (search !== location.search) window.history.pushState(null, '', search || './')
}

/** Changes the entry that is shown: the first change at once, the last of several a little later. @param {string} search */
export function replace(search) {
  waiting = search || './'
  if (timer) return
  flush()
  timer = window.setTimeout(() => { timer = 0; if (waiting !== null) replace(waiting) }, PAUSE)
}
