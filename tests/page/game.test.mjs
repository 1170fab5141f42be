// Part 4: the game.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as page from './harness.mjs'

const { accessible, nothingWrong, says } = page

for (const size of Object.keys(page.SIZES)) {
  test(`a game, on a ${size}`, async (t) => {
    const address = await page.serve(t, page.samples(t))
    const browser = await page.browser(t)
    const current = (p) => p.locator('.move[aria-current]').innerText()

    await t.test('opens at the match, is gone through with keys, and closes to where one was', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('Bh7 kg8 Q')}`)
      await says(p, '1 position in 1 game')
      await p.locator('.card').first().click()
      await p.getByRole('heading', { name: /Lasker, Emanuel.*Bauer/ }).waitFor()
      assert.equal(await current(p), 'Bxh7+')
      assert.equal(await p.locator('.move.match').count(), 1)
      await p.locator('.game-board square.mark').first().waitFor({ state: 'attached' })
      await accessible(p)
      await p.keyboard.press('ArrowRight')
      assert.equal(await current(p), 'Kxh7')
      await p.keyboard.press('End')
      assert.match(new URL(p.url()).searchParams.get('game'), /^11\.\d+$/)
      const end = await current(p)
      await p.keyboard.press('Home')
      assert.equal(await current(p), 'start')
      await p.keyboard.press('ArrowDown')
      assert.equal(await current(p), 'Bxh7+')
      assert.notEqual(end, 'Bxh7+')
      await p.getByRole('button', { name: /^Back/ }).click()
      assert.equal(await current(p), 'Nxh5')
      await p.keyboard.press('Escape')
      await p.locator('dialog.game').waitFor({ state: 'hidden' })
      assert.equal(new URL(p.url()).searchParams.get('game'), null)
      nothingWrong(p)
    })

    await t.test('variations and comments are there', async () => {
      const p = await page.open(browser, size, `${address}?game=65`)
      await p.locator('.moves .variation').first().waitFor()
      await p.locator('.moves .comment').first().waitFor()
      await p.locator('.moves .variation .move').first().click()
      assert.equal(await p.locator('.variation .move[aria-current]').count(), 1)
      await accessible(p)
      nothingWrong(p)
    })

    await t.test('all matches of the game are marked, then comes the next of the answer', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('check player "Tal"')}`)
      await says(p, /positions in \d+ games/)
      await p.locator('.card').first().click()
      await p.locator('.match-buttons', { hasText: /match 1 of \d+ in this game/ }).waitFor()
      const count = await p.locator('.move.match').count()
      assert.ok(count > 1)
      await p.locator('.match-buttons', { hasText: `match 1 of ${count} in this game` }).waitFor()
      const title = await p.locator('#game-title').innerText()
      for (let i = 0; i < count; i += 1) await p.keyboard.press('ArrowDown')
      await p.waitForFunction((before) => document.getElementById('game-title')?.innerText !== before, title)
      nothingWrong(p)
    })

    await t.test('FEN, PGN and link are copied; analysis is a plain link', async () => {
      const p = await page.open(browser, size, `${address}?game=8.33`)
      await p.locator('dialog.game[open]').waitFor()
      const links = p.locator('.links')
      const clipboard = () => p.evaluate(() => navigator.clipboard.readText())
      await links.getByRole('button', { name: 'FEN' }).click()
      await p.getByText('FEN copied').first().waitFor()
      assert.match(await clipboard(), /^1n1Rkb1r\/p4ppp\/4q3\/4p1B1\/4P3\/8\/PPP2PPP\/2K5 b/)
      await links.getByRole('button', { name: 'PGN' }).click()
      await p.getByText('PGN copied').first().waitFor()
      assert.match(await clipboard(), /\[White "Morphy, Paul"\]/)
      await links.getByRole('button', { name: 'Link' }).click()
      await p.getByText('Link copied').first().waitFor()
      assert.equal(await clipboard(), p.url())
      const site = links.getByRole('link', { name: 'lichess' })
      assert.match(await site.getAttribute('href'), /^https:\/\/lichess\.org\/analysis\/standard\/1n1Rkb1r\/.*_b_/)
      assert.equal(await site.getAttribute('rel'), 'noopener noreferrer')
      await p.getByRole('button', { name: 'Ask for this position' }).click()
      await says(p, '1 position in 1 game')
      nothingWrong(p)
    })
  })
}
