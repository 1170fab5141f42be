// Measures the page on a database: `node tests/page/figures.mjs DATABASE`, with the program in CQLDEX.
//
// - From the press of the last key of a question until the boards of its answer are drawn, for 30 questions of the
//   gallery that find something. Each is asked once; clear kept answers before (`cqldex answers DATABASE --clear`).
// - How long the frames are while a list of many matches scrolls.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as page from './harness.mjs'

const database = process.argv[2]
const endings = []
const script = { after: (action) => endings.unshift(action) }
const address = await page.serve(script, database)
const browser = await page.browser(script)

/** @param {number[]} values @param {number} part */
const quantile = (values, part) => [...values].sort((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * part))]

/** Types the last key of a question, and waits for its first board. @param {any} p @param {string} query */
async function ask(p, query) {
  await page.write(p, query.slice(0, -1))
  await p.waitForTimeout(700)
  const measured = p.evaluate((wanted) => new Promise((done) => {
    let start = 0
    document.addEventListener('keydown', () => { start = performance.now() }, { once: true, capture: true })
    const look = () => {
      const link = document.querySelector('.card-place[data-index="0"]:not([hidden]) .card:not(.waiting)')
      const asked = link instanceof HTMLAnchorElement && link.href ? new URL(link.href).searchParams.get('q') : null
      const ended = /^nothing/.test(document.querySelector('.count')?.textContent ?? '')
      if (start && asked === wanted) {
        const drawn = performance.now() - start
        // The browser tells the times of a request when it has ended.
        setTimeout(() => {
          const sent = performance.getEntriesByType('resource').filter((entry) => /\/search/.test(entry.name)).pop()
          done([drawn, (sent?.startTime ?? 0) - start, (sent?.responseStart ?? 0) - start])
        }, 500)
      }
      else if (start && (ended || performance.now() - start > 20_000)) done(null)
      else requestAnimationFrame(look)
    }
    look()
  }), query)
  await p.locator('.cm-content').press('Control+End')
  await p.keyboard.press(query.slice(-1))
  return measured
}

const p = await page.open(browser, 'desktop', address)
await p.locator('.example').first().waitFor()
const examples = JSON.parse(readFileSync(join(page.root, 'page/gallery.json'), 'utf8'))
const times = []
console.log('milliseconds from the key press until: boards drawn, question sent, answer begins')
for (const { query } of examples) {
  if (times.length === 30) break
  const found = await ask(p, query)
  if (found) times.push(found[0])
  console.log(`${found ? found.map((time) => time.toFixed(0).padStart(6)).join(' ') : 'nothing'}  ${query}`)
}
console.log(`key press to first boards, ${times.length} questions: median ${quantile(times, 0.5).toFixed(0)} ms, ` +
  `95th percentile ${quantile(times, 0.95).toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`)

await page.write(p, 'check')
await page.says(p, /positions in/)
console.log(await p.locator('.count').innerText())
const frames = await p.evaluate(() => new Promise((done) => {
  const found = []
  let last = performance.now()
  const end = last + 5000
  const step = (now) => {
    found.push(now - last)
    last = now
    window.scrollBy(0, 60)
    if (now < end) requestAnimationFrame(step)
    else done(found.slice(2))
  }
  requestAnimationFrame(step)
}))
console.log(`scrolling, ${frames.length} frames in 5 s: median ${quantile(frames, 0.5).toFixed(1)} ms, ` +
  `95th percentile ${quantile(frames, 0.95).toFixed(1)} ms, longest ${Math.max(...frames).toFixed(0)} ms`)
for (const end of endings) await end()
process.exit(0)
