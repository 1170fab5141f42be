// Twenty users at once: `node tests/page/users.mjs DATABASE [SECONDS [USERS]]`, with the program in CQLDEX.
//
// Each user has a page and asks the questions of the gallery, and some slow ones, one after the other. Told are how long
// quick questions take until their first match and until their end, and every answer that ends without its summary.

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

const firsts = []
const ends = []
/** What the program says quick questions have waited. */
const waits = []
/** A question is quick if its search takes no longer, in milliseconds. */
const QUICK = 300
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
      else if (!isSlow && last.elapsedMs <= QUICK) {
        if (first) firsts.push(first)
        ends.push(time)
        waits.push(last.waitedMs)
      }
    } catch (error) {
      wrong.push(`${query}: ${error} ${error.cause ?? ''}`)
    }
  }
}

await Promise.all(Array.from({ length: Number(users) }, (_, number) => user(number)))
const tell = (values) => `median ${quantile(values, 0.5).toFixed(0)} ms, 95th percentile ${quantile(values, 0.95).toFixed(0)} ms, longest ${Math.max(...values).toFixed(0)} ms`
console.log(`${users} users, ${asked} questions in ${seconds} s`)
console.log(`quick questions, waited: ${tell(waits)}`)
console.log(`quick questions, first match: ${tell(firsts)}`)
console.log(`quick questions, whole answer: ${tell(ends)}`)
for (const line of wrong) console.log(`wrong: ${line}`)
console.log(`${wrong.length} answers without a summary`)
for (const end of endings) await end()
process.exit(wrong.length ? 1 : 0)
