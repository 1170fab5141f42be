// Part 9: dark and light, any size, keys and screen readers, weight, and nothing from other hosts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as page from './harness.mjs'

const { becomes, nothingWrong, says, write } = page

test('the page is small, comes from one host, and keeps a strict policy', async (t) => {
  const browser = await page.browser(t)
  const address = await page.serve(t, page.samples(t))
  const p = await page.open(browser, 'desktop', 'about:blank')
  const sizes = []
  p.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.startsWith('/api/')) sizes.push(request.sizes())
  })
  const response = await p.goto(address)
  await p.locator('.example').first().waitFor()
  await p.waitForLoadState('networkidle')
  const bytes = (await Promise.all(sizes)).reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  const policy = response.headers()['content-security-policy'] ?? ''
  assert.match(policy, /default-src '(self|none)'/)
  assert.doesNotMatch(policy.replace(/style-src-attr[^;]*/, ''), /unsafe/)
  assert.ok(bytes > 50_000 && bytes < 300_000, `${bytes} bytes`)
  nothingWrong(p)
})

test('dark and light are chosen and kept', async (t) => {
  const browser = await page.browser(t)
  const p = await page.open(browser, 'desktop', await page.serve(t, page.samples(t)))
  const ground = () => p.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await ground()
  await p.getByRole('button', { name: 'Dark or light' }).click()
  const dark = await becomes(ground, (color) => color !== light, 'another ground')
  await p.reload()
  await p.locator('.example').first().waitFor()
  await becomes(ground, dark)
  nothingWrong(p)
})

/** Addresses, and what has to be there. */
const VIEWS = [['', '.example canvas'], ['?q=mate', '.card:not(.waiting)'], ['?q=mate&view=table', '.row:not(.head) a'],
  ['?q=mate&view=pictures', '.heat-chart'], ['?q=mate&view=plan', '.plan table'], ['?q=mate&game=8.33', '.move[aria-current]']]

test('nothing is wider than the window, from a small phone to a wide screen', async (t) => {
  const browser = await page.browser(t)
  const address = await page.serve(t, page.samples(t))
  const p = await page.open(browser, 'desktop', address)
  for (const width of [320, 390, 620, 768, 900, 1024, 1280, 1920, 2560]) {
    await p.setViewportSize({ width, height: 800 })
    for (const [search, shown] of VIEWS) {
      await p.goto(address + search)
      await p.locator(shown).first().waitFor({ state: 'attached' })
      const over = () => p.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
      await becomes(over, (pixels) => pixels <= 0, `nothing is too wide at ${width}, ${search}`)
    }
  }
  nothingWrong(p)
})

test('all can be reached with Tab, and one always sees where one is', async (t) => {
  const browser = await page.browser(t)
  const p = await page.open(browser, 'desktop', `${await page.serve(t, page.samples(t))}?q=mate`)
  await says(p, '18 positions in 18 games')
  await p.locator('.card:not(.waiting)').first().waitFor()
  const seen = new Set()
  for (let i = 0; i < 60; i += 1) {
    await p.keyboard.press('Tab')
    const now = await p.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const style = getComputedStyle(element)
      const shown = style.outlineStyle !== 'none' || element.closest('.editor')
      return { name: element.className.toString().split(' ')[0] || element.tagName.toLowerCase(), shown: Boolean(shown), text: element.outerHTML.slice(0, 120) }
    })
    if (!now) break
    assert.ok(now.shown, `the focus does not show on ${now.text}`)
    seen.add(now.name)
  }
  for (const name of ['skip', 'brand', 'menu-button', 'square', 'tool', 'cm-content', 'card']) assert.ok(seen.has(name), `${name} is not reached`)
  nothingWrong(p)
})

test('screen readers announce the count, errors of the search, and the move', async (t) => {
  const browser = await page.browser(t)
  const p = await page.open(browser, 'desktop', await page.serve(t, page.samples(t)))
  const announced = (words) => p.waitForFunction((text) => [...document.querySelectorAll('[aria-live]')].some((live) => live.textContent?.includes(text)), words)
  await write(p, 'mate N->k')
  await announced('2 positions in 2 games')
  await p.locator('.card').first().click()
  await announced('match')
  await p.keyboard.press('ArrowLeft')
  await p.keyboard.press('Escape')
  await p.keyboard.press('?')
  await p.getByRole('heading', { name: 'Keys' }).waitFor()
  nothingWrong(p)
})

test('boards are described in words', async (t) => {
  const browser = await page.browser(t)
  const p = await page.open(browser, 'desktop', `${await page.serve(t, page.samples(t))}?q=${encodeURIComponent('mate N attacks k')}`)
  const card = p.getByRole('listitem').first().getByRole('link')
  const board = /^White king .*; black king .*; (white|black) to move; marked .*[a-h][1-8]$/
  const described = (link) => link.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby')).textContent)
  await becomes(() => described(card), board)
  await becomes(() => card.innerText(), / – [^]*#$/)
  await p.getByRole('link', { name: 'cqldex, start' }).click()
  await becomes(() => described(p.locator('.example').first()), /king .* to move/)
  nothingWrong(p)
})

test('on a phone, a bar says how the answer stands until the answer is in sight', async (t) => {
  const p = await page.open(await page.browser(t), 'phone', `${await page.serve(t, page.samples(t))}?q=check`)
  const bar = p.locator('.peek')
  await bar.getByText('394 positions in 75 games').waitFor()
  // A jump goes past the count without showing it.
  await p.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await bar.waitFor({ state: 'hidden' })
  await p.evaluate(() => window.scrollTo(0, 0))
  await bar.waitFor()
  nothingWrong(p)
})

test('a search can be stopped', async (t) => {
  const browser = await page.browser(t)
  const p = await page.open(browser, 'desktop', await page.serve(t, page.samples(t)))
  // A loop in a loop, at every position: this takes long on any machine.
  await write(p, 'x = 0 while (x < 9000000) { x += 1 y = 0 while (y < 9000000) { y += 1 } }')
  await p.getByRole('button', { name: 'Stop' }).click()
  await says(p, /^stopped/)
  await write(p, 'mate')
  await says(p, '18 positions in 18 games')
})
