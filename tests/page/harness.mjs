// What the tests of the page share: the program, a server on the sample games, and Chromium at two sizes.

import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const require = createRequire(join(root, 'page/package.json'))
const { chromium } = require('playwright-core')
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const program = process.env.CQLDEX ?? join(root, 'target/debug/cqldex')

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync']

/** How many times slower than it is the browser runs: tests must not depend on its speed. */
const SLOWER = Number(process.env.CQLDEX_PAGE_SLOWER ?? 1)

/** How long anything may take, and between two looks at it, in milliseconds. */
const PATIENCE = 20_000 * Math.max(1, SLOWER / 2)
const LOOK = 25

/** The two sizes; one begins light, the other dark. */
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 860 }, colorScheme: 'light' },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, colorScheme: 'dark' },
}

/** Runs the program. Exit code 1 means that nothing matched. @param {string[]} words */
export function cqldex(...words) {
  try {
    return execFileSync(program, words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    if (error.status === 1) return error.stdout
    throw error
  }
}

/** A folder that is gone when the tests have ended. @param {import('node:test').TestContext} t */
export function folder(t) {
  const path = mkdtempSync(join(tmpdir(), 'cqldex-page-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/**
 * Starts the server and waits for its address.
 * @param {import('node:test').TestContext} t @param {...string} words
 * @returns {Promise<string>}
 */
export async function serve(t, ...words) {
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', ...words], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => { child.kill('SIGKILL') })
  let said = ''
  return new Promise((done, failed) => {
    const hear = (data) => {
      said += data
      const address = /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(said)
      if (address) done(address[0])
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('exit', (code) => failed(new Error(`cqldex serve ended with ${code}: ${said}`)))
  })
}

/**
 * A way to a server that can be cut: what is sent is counted, and beyond a limit the connection breaks.
 * @param {import('node:test').TestContext} t @param {string} address
 * @returns {Promise<{address: string, limit: number, broken: number}>}
 */
export async function cable(t, address) {
  const way = { address: '', limit: Infinity, broken: 0 }
  const server = createServer((client) => {
    const target = connect(Number(new URL(address).port), '127.0.0.1')
    let sent = 0
    client.on('data', (data) => {
      sent += data.length
      if (sent > way.limit) { way.broken += 1; client.destroy(); target.destroy() } else target.write(data)
    })
    target.on('data', (data) => client.write(data))
    for (const [one, other] of [[client, target], [target, client]]) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => server.close())
  way.address = `http://127.0.0.1:${server.address().port}/`
  return way
}

/** A database of the sample games with the set `mates`. @param {import('node:test').TestContext} t */
export function samples(t) {
  const path = join(folder(t), 'samples.db')
  cqldex('index', path, 'samples')
  cqldex('query', path, 'mate', '--save', 'mates', '--count')
  return path
}

/** @param {import('node:test').TestContext} t */
export async function browser(t) {
  const found = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS })
  t.after(() => found.close())
  return found
}

/**
 * A page of its own, which complains about everything that goes wrong in it.
 * @param {any} browser @param {keyof typeof SIZES} size @param {string} address
 */
export async function open(browser, size, address) {
  const context = await browser.newContext({ ...SIZES[size], reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE)
  page.wrong = []
  page.asked = []
  page.on('pageerror', (error) => page.wrong.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) page.wrong.push(message.text())
  })
  page.on('response', (response) => {
    // A text that is no question yet is answered with 422.
    if (response.status() >= 400 && response.status() !== 422) page.wrong.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => page.asked.push(request.url()))
  if (SLOWER > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  await page.goto(address)
  return page
}

/** Nothing went wrong, and no other host was asked. @param {any} page */
export function nothingWrong(page) {
  assert.deepEqual(page.wrong, [])
  const origin = new URL(page.url()).origin
  assert.deepEqual(page.asked.filter((url) => !url.startsWith(`${origin}/`) && !url.startsWith('data:')), [])
}

/** What axe finds, in both themes. @param {any} page */
export async function accessible(page) {
  for (const colorScheme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme })
    if (!await page.evaluate('Boolean(window.axe)')) await page.evaluate(axe)
    const found = await page.evaluate(async () => {
      const { violations } = await window.axe.run(document, { resultTypes: ['violations'] })
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}: ${node.failureSummary}`))
    })
    assert.deepEqual(found, [], colorScheme)
  }
}

/**
 * Waits until a value is the wanted one. What follows an action follows it a little later, on a busy machine much later,
 * so a test reads such a value with this and with nothing else.
 * @template T
 * @param {() => Promise<T>|T} read
 * @param {T|RegExp|((value: T) => boolean)} wanted  a value, a pattern, or a condition
 * @param {string} [what]  it is, for the message
 * @returns {Promise<T>} the value
 */
export async function becomes(read, wanted, what = '') {
  const end = Date.now() + PATIENCE
  for (;;) {
    let value
    try {
      value = await read()
      if (typeof wanted === 'function') assert.ok(wanted(value), `${what || wanted} does not hold for ${JSON.stringify(value)}`)
      else if (wanted instanceof RegExp) assert.match(String(value), wanted, what ? `${what}: ${value}` : undefined)
      else assert.deepEqual(value, wanted, what ? `${what}: ${JSON.stringify(value)} instead of ${JSON.stringify(wanted)}` : undefined)
      return value
    } catch (error) {
      // An element that is not there yet is waited for, too.
      if (Date.now() > end) throw error
    }
    await new Promise((done) => setTimeout(done, LOOK))
  }
}

/** A parameter of the address. @param {any} page @param {string} name */
export const parameter = (page, name) => new URL(page.url()).searchParams.get(name)

/** Waits until the address asks this. @param {any} page @param {string} query */
export const asks = (page, query) => becomes(() => parameter(page, 'q') ?? '', query, 'question in the address')

/** Waits until the count says this. @param {any} page @param {string|RegExp} words */
export const says = (page, words) => becomes(() => page.evaluate(() => document.querySelector('.count')?.textContent ?? ''), words, 'count')

/** Writes a question in place of what is in the editor. @param {any} page @param {string} text */
export async function write(page, text) {
  await page.locator('.cm-content').click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** The middle of a square of the board of the question. @param {any} page @param {string} square */
export async function middle(page, square) {
  const squares = page.locator('.query-board .squares')
  await squares.scrollIntoViewIfNeeded()
  const box = await squares.boundingBox()
  return { x: box.x + ((square.charCodeAt(0) - 97 + 0.5) * box.width) / 8, y: box.y + ((8.5 - Number(square[1])) * box.height) / 8 }
}

/** Presses a square, with a finger on the phone. @param {any} page @param {string} square */
export async function press(page, square) {
  const { x, y } = await middle(page, square)
  if (page.viewportSize().width < 500) await page.touchscreen.tap(x, y)
  else await page.mouse.click(x, y)
}

/** Drags from a square or point to another. @param {any} page @param {string|{x: number, y: number}} from @param {string|{x: number, y: number}} to @param {'left'|'right'} [button] */
export async function drag(page, from, to, button = 'left') {
  const at = async (place) => (typeof place === 'string' ? middle(page, place) : place)
  const [start, end] = [await at(from), await at(to)]
  await page.mouse.move(start.x, start.y)
  await page.mouse.down({ button })
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
  await page.mouse.move(end.x, end.y, { steps: 4 })
  await page.waitForTimeout(60)
  await page.mouse.up({ button })
}

/** Takes a man or a tool in hand. @param {any} page @param {string} name  the beginning of its name */
export async function take(page, name) {
  await page.locator('.palette').getByRole('button', { name: new RegExp(`^${name}`) }).click()
}
