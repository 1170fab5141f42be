// Twenty users at once: `node tests/page/users.mjs DATABASE [SECONDS [USERS]]`, with the program in CQLDEX.
//
// Each user has a page and asks the questions of the gallery, and some slow ones, one after the other. It prints how long
// questions wait, and how long they take until their first match and until their end, by how long their search takes; and
// every answer that ends without its summary.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as page from './harness.mjs'

const [database, seconds = '60', users = '20'] = process.argv.slice(2)
const endings = []
const script = { after: (action) => endings.unshift(action) }
const address = await page.serve(script, database)

const quick = JSON.parse(readFileSync(join(page.root, 'page/gallery.json'), 'utf8')).map(({ query }) => query)
/** One question in twenty is slow: a loop over pairs of positions, a regular expression, texts of all games. */
const slow = ['echo (x y) { x:K == y:k sort ply }', 'fen ~~ "8/8/.*k.*/8"', 'initialposition str(player white) ~~ "(a+)+b"',
  'player white ~~ "^[A-C].*n$" mate']

/** @param {number[]} values @param {number} part */
const quantile = (values, part) => [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

/** A question is of the first kind whose searches take no longer, in milliseconds. */
const kinds = [{ name: 'quick', most: 300 }, { name: 'of seconds', most: 5000 }, { name: 'slow', most: Infinity }]
  .map((kind) => ({ ...kind, waits: [], firsts: [], ends: [] }))
const wrong = []
let asked = 0
const stop = performance.now() + 1000 * Number(seconds)

/** Asks, and hears the answer to its end. @param {string} query @param {string} user */
async function ask(query, user) {
  const start = performance.now()
  const response = await fetch(`${address}api/v1/search`, { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, page: user }) })
  const decoder = new TextDecoder()
  let [text, first] = ['', 0]
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true })
    if (!first && text.includes('"type":"matches"')) first = performance.now() - start
  }
  const lines = text.trim().split('\n').map((line) => JSON.parse(line))
  const last = lines.at(-1)
  return { last, first, time: performance.now() - start, events: lines.map(({ type }) => type) }
}

/** @param {number} number */
async function user(number) {
  for (let turn = 0; performance.now() < stop; turn += 1) {
    const isSlow = (turn + number) % 20 === 19
    const query = isSlow ? slow[(turn + number) % slow.length] : quick[(7 * number + turn) % quick.length]
    try {
      const { last, first, time, events } = await ask(query, `user-${number}`)
      asked += 1
      if (last?.type !== 'summary' && !(isSlow && last?.error?.code === 'time-limit')) wrong.push(`${query}: ${JSON.stringify(last)} after ${[...new Set(events)]}`)
      else if (last?.type === 'summary') {
        const kind = kinds.find(({ most }) => last.elapsedMs <= most)
        // What the program says the question has waited.
        kind.waits.push([last.waitedMs, query])
        kind.ends.push([time, query])
        if (first) kind.firsts.push([first, query])
      }
    } catch (error) {
      wrong.push(`${query}: ${error} ${error.cause ?? ''}`)
    }
  }
}

await Promise.all(Array.from({ length: Number(users) }, (_, number) => user(number)))
/** @param {[number, string][]} values */
function line(values) {
  if (!values.length) return 'none'
  const times = values.map(([time]) => time)
  const longest = values.reduce((one, other) => (other[0] > one[0] ? other : one))
  return `${values.length}, median ${quantile(times, 0.5).toFixed(0)} ms, 95th percentile ${quantile(times, 0.95).toFixed(0)} ms, ` +
    `longest ${longest[0].toFixed(0)} ms: ${longest[1]}`
}
console.log(`${users} users, ${asked} questions in ${seconds} s`)
for (const { name, most, waits, firsts, ends } of kinds) {
  console.log(`questions that take at most ${most} ms (${name})`)
  console.log(`  waited        ${line(waits)}`)
  console.log(`  first match   ${line(firsts)}`)
  console.log(`  whole answer  ${line(ends)}`)
}
for (const line of wrong) console.log(`wrong: ${line}`)
console.log(`${wrong.length} answers without a summary`)
for (const end of endings) await end()
process.exit(wrong.length ? 1 : 0)
