// Part 4: the game.

import { test } from 'node:test'
import * as page from './harness.mjs'

const { accessible, becomes, nothingWrong, parameter, says } = page

for (const size of Object.keys(page.SIZES)) {
  test(`a game, on a ${size}`, async (t) => {
    const address = await page.serve(t, page.samples(t))
    const browser = await page.browser(t)
    const current = (p, move) => becomes(() => p.locator('.move[aria-current]').innerText(), move, 'current move')

    await t.test('opens at the match, is gone through with keys, and closes to where one was', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('Bh7 kg8 Q')}`)
      await says(p, '1 position in 1 game')
      await p.locator('.card').first().click()
      await p.getByRole('heading', { name: /Lasker, Emanuel.*Bauer/ }).waitFor()
      await current(p, 'Bxh7+')
      await becomes(() => p.locator('.move.match').count(), 1)
      await p.locator('.game-board square.mark').first().waitFor({ state: 'attached' })
      await accessible(p)
      await p.keyboard.press('ArrowRight')
      await current(p, 'Kxh7')
      await p.keyboard.press('End')
      await current(p, (move) => !['Kxh7', 'Bxh7+', 'start'].includes(move))
      await becomes(() => parameter(p, 'game'), /^11\.\d+$/)
      await p.keyboard.press('Home')
      await current(p, 'start')
      await p.keyboard.press('ArrowDown')
      await current(p, 'Bxh7+')
      await p.getByRole('button', { name: /^Back/ }).click()
      await current(p, 'Nxh5')
      await p.keyboard.press('Escape')
      await p.locator('dialog.game').waitFor({ state: 'hidden' })
      await becomes(() => parameter(p, 'game'), null)
      nothingWrong(p)
    })

    await t.test('variations and comments are there', async () => {
      const p = await page.open(browser, size, `${address}?game=65`)
      await p.locator('.moves .variation').first().waitFor()
      await p.locator('.moves .comment').first().waitFor()
      await p.locator('.moves .variation .move').first().click()
      await becomes(() => p.locator('.variation .move[aria-current]').count(), 1)
      await accessible(p)
      nothingWrong(p)
    })

    await t.test('all matches of the game are marked, then comes the next of the answer', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('check player "Tal"')}`)
      await says(p, /positions in \d+ games/)
      await p.locator('.card').first().click()
      const said = await becomes(() => p.locator('.match-buttons .more').innerText(), /^match 1 of \d+ in this game$/)
      const count = Number(/of (\d+)/.exec(said)[1])
      await becomes(() => p.locator('.move.match').count(), (marked) => marked === count && count > 1, `${count} moves are marked`)
      const title = await p.locator('#game-title').innerText()
      for (let place = 2; place <= count; place += 1) {
        await p.keyboard.press('ArrowDown')
        await becomes(() => p.locator('.match-buttons .more').innerText(), `match ${place} of ${count} in this game`)
      }
      await p.keyboard.press('ArrowDown')
      await becomes(() => p.locator('#game-title').innerText(), (now) => now !== title, 'the next game')
      nothingWrong(p)
    })

    await t.test('FEN, PGN and link are copied; analysis is a plain link', async () => {
      const p = await page.open(browser, size, `${address}?game=8.33`)
      await p.locator('dialog.game[open]').waitFor()
      const links = p.locator('.links')
      const clipboard = () => p.evaluate(() => navigator.clipboard.readText())
      await links.getByRole('button', { name: 'FEN' }).click()
      await p.getByText('FEN copied').first().waitFor()
      await becomes(clipboard, /^1n1Rkb1r\/p4ppp\/4q3\/4p1B1\/4P3\/8\/PPP2PPP\/2K5 b/)
      await links.getByRole('button', { name: 'PGN' }).click()
      await p.getByText('PGN copied').first().waitFor()
      await becomes(clipboard, /\[White "Morphy, Paul"\]/)
      await links.getByRole('button', { name: 'Link' }).click()
      await p.getByText('Link copied').first().waitFor()
      await becomes(async () => [await clipboard(), parameter(p, 'game')], (both) => both[0] === p.url() && both[1] === '8.33', 'the link')
      const site = links.getByRole('link', { name: 'lichess' })
      await becomes(() => site.getAttribute('href'), /^https:\/\/lichess\.org\/analysis\/standard\/1n1Rkb1r\/.*_b_/)
      await becomes(() => site.getAttribute('rel'), 'noopener noreferrer')
      await p.getByRole('button', { name: 'Ask for this position' }).click()
      await says(p, '1 position in 1 game')
      nothingWrong(p)
    })
  })
}
