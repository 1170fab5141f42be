// Parts 3, 5 and 6: answers as they come, pictures of them, and how they were found.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as page from './harness.mjs'

const { accessible, becomes, nothingWrong, parameter, says, write } = page

for (const size of Object.keys(page.SIZES)) {
  test(`answers, on a ${size}`, async (t) => {
    const address = await page.serve(t, page.samples(t))
    const browser = await page.browser(t)

    await t.test('boards with the matching men marked, players, year and move', async () => {
      const p = await page.open(browser, size, address)
      await write(p, 'flipcolor flipvertical { Bh7 kg8 Q }')
      await says(p, '4 positions in 4 games')
      const first = p.locator('.card').first()
      await becomes(() => first.locator('.names').innerText(), 'Lasker – Bauer')
      await becomes(() => first.locator('.facts').innerText(), /^1889 · 1–0 · 15\.Bxh7\+/)
      // The square of the bishop on h7 has another color than that of the pawn on h2, which is dark too.
      const colors = () => first.locator('canvas').evaluate((canvas) => {
        const at = (file, rank) => [...canvas.getContext('2d').getImageData((file + 0.06) * canvas.width / 8, (8 - rank + 0.06) * canvas.width / 8, 1, 1).data].join()
        return { marked: at(7, 7), dark: at(7, 4) }
      })
      await becomes(colors, ({ marked, dark }) => marked !== dark, 'a marked square')
      await becomes(() => p.locator('.status .more').innerText(), /(µs|ms).*86 games searched/)
      await accessible(p)
      nothingWrong(p)
    })

    await t.test('a long list has only what is in sight, and can be gone through', async () => {
      const p = await page.open(browser, size, `${address}?q=wtm`)
      const positions = Number((await says(p, /^2,\d\d\d positions in 86 games$/)).split(' ')[0].replace(',', ''))
      await becomes(() => p.locator('.card').count(), (count) => count > 0 && count < 60, 'cards in sight')
      await p.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
      await p.waitForFunction((last) => document.querySelector(`.card-place[aria-posinset="${last}"]:not([hidden]) .card:not(.waiting)`), positions)
      await becomes(() => p.locator('.card').count(), (count) => count < 90, 'cards at the end')
      await p.evaluate(() => window.scrollTo(0, 0))
      const card = p.locator('.card-place[aria-posinset="1"]:not([hidden]) .card')
      await card.focus()
      const focused = () => p.evaluate(() => document.activeElement?.closest('[aria-posinset]')?.getAttribute('aria-posinset'))
      await becomes(focused, '1')
      await p.keyboard.press('ArrowRight')
      await becomes(focused, '2')
      await p.keyboard.press('ArrowDown')
      const columns = () => p.evaluate(() => {
        const tops = [...document.querySelectorAll('.card-place:not([hidden])')].map((place) => place.getBoundingClientRect().top)
        return tops.filter((top) => top === Math.min(...tops)).length
      })
      await becomes(async () => Number(await focused()) - 2 - await columns(), 0, 'one row below')
      assert.ok(await columns() >= 2)
      nothingWrong(p)
    })

    await t.test('the order is chosen; keys of the query are shown', async () => {
      const p = await page.open(browser, size, `${address}?q=mate`)
      await says(p, '18 positions in 18 games')
      const years = async () => (await p.locator('.card-place:not([hidden]) .facts').allInnerTexts()).map((text) => Number(text.slice(0, 4)))
      const falls = (list) => list.length >= 4 && list.slice(1).every((year, at) => year > 0 && year <= list[at])
      await becomes(years, (list) => list.length >= 4 && list.every((year) => year > 0) && !falls(list), 'years as found')
      await p.getByLabel('Order').selectOption('-year')
      await becomes(() => parameter(p, 'order'), '-year')
      await becomes(years, falls, 'years, newest first')
      await p.getByLabel('Order').selectOption('found')
      await write(p, 'sort "men" #[Aa] mate')
      await p.locator('.facts', { hasText: /\[\d+\]/ }).first().waitFor()
      nothingWrong(p)
    })

    await t.test('games as a table', async () => {
      const p = await page.open(browser, size, `${address}?q=mate&view=table`)
      await says(p, '18 positions in 18 games')
      await p.locator('.table .row:not(.head) a').first().waitFor()
      await becomes(() => p.locator('.table').getAttribute('aria-rowcount'), '19')
      await p.locator('.table').evaluate((table) => table.scrollIntoView())
      await p.waitForFunction(() => document.querySelectorAll('.table .row:not(.head):not([hidden])').length >= 15)
      await p.getByRole('button', { name: 'Year' }).click()
      await p.waitForFunction(() => document.querySelector('[role=columnheader].year')?.getAttribute('aria-sort') === 'ascending')
      await p.locator('.row:not(.head) .year', { hasText: '1620' }).first().waitFor()
      await becomes(() => p.locator('.row[aria-rowindex="2"]').innerText(), /Greco/)
      await accessible(p)
      nothingWrong(p)
    })

    await t.test('the whole answer is downloaded', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('mate N->k')}`)
      await says(p, '2 positions in 2 games')
      const menu = p.locator('.download-menu')
      const file = async (/** @type {string} */ format) => {
        await menu.locator('summary').click()
        const [download] = await Promise.all([p.waitForEvent('download'), menu.getByText(format, { exact: true }).click()])
        assert.equal(await menu.getAttribute('open'), null)
        const bytes = Buffer.concat(await (await download.createReadStream()).toArray())
        return [download.suggestedFilename(), bytes.toString('latin1')]
      }
      const [name, games] = await file('PGN')
      assert.equal(name, 'matches.pgn')
      assert.equal(games.match(/\[Event /g)?.length, 2)
      const [, table] = await file('CSV')
      assert.match(table, /^game,position,ply,move,fen,/)
      assert.equal(table.trim().split('\r\n').length, 3)
      const [, lines] = await file('JSON')
      assert.equal(lines.trim().split('\n').length, 3)
      const [parquet, bytes] = await file('Parquet')
      assert.equal(parquet, 'matches.parquet')
      assert.equal(bytes.slice(0, 4) + bytes.slice(-4), 'PAR1PAR1')
      const [, arrow] = await file('Arrow')
      assert.equal(arrow.slice(0, 6), 'ARROW1')
      await menu.locator('summary').click()
      await accessible(p)
      await p.keyboard.press('Escape')
      assert.equal(await menu.getAttribute('open'), null)
      nothingWrong(p)
    })

    await t.test('what a query says with message is shown', async () => {
      const p = await page.open(browser, size, address)
      await write(p, 'mate N->k message("found")')
      await p.locator('.notes', { hasText: 'found' }).waitFor()
      nothingWrong(p)
    })

    await t.test('pictures: years, moves, results, openings, and where a man stands', async () => {
      const p = await page.open(browser, size, `${address}?q=mate&view=pictures`)
      await says(p, '18 positions in 18 games')
      await p.waitForFunction(() => document.querySelectorAll('.chart-place figure').length === 5)
      const results = p.locator('.chart-place', { hasText: 'By result' })
      const sum = async (texts) => (await texts.allInnerTexts()).reduce((all, text) => all + Number(text.split(/\s+/).pop()), 0)
      await becomes(() => sum(results.locator('tbody tr')), 18)
      for (const words of ['By year', 'By move number', 'By opening']) {
        await becomes(() => p.locator('.chart-place', { hasText: words }).locator('.bar').count(), (count) => count > 0, words)
      }
      await p.getByLabel(/A set of squares/).fill('k')
      await p.getByRole('button', { name: 'Show' }).click()
      await p.locator('.heat-chart figcaption', { hasText: 'Where k is, in 18 positions' }).waitFor()
      await becomes(() => sum(p.locator('.heat-chart td')), 18)
      await accessible(p)
      await p.getByLabel(/A set of squares/).fill('wtm')
      await p.getByRole('button', { name: 'Show' }).click()
      await p.locator('.heat-place .failed').waitFor()
    })

    await t.test('how it was found: expected and actual numbers', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('mate N attacks k')}&view=plan`)
      await p.getByText('Plan: positions that each part leaves').waitFor()
      await becomes(() => p.locator('.plan tbody td.amount').allInnerTexts(), (amounts) => amounts.length >= 3 && /^[\d,]+$/.test(amounts[0]))
      await p.locator('.plan', { hasText: 'the index' }).waitFor()
      await accessible(p)
      nothingWrong(p)
    })
  })
}
