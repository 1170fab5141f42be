// Part 8: without a terminal.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as page from './harness.mjs'

const { accessible, becomes, nothingWrong, says } = page

/** A game that ends with an illegal move, and one that can't be used. */
const BROKEN = `[White "A"]
[Black "B"]

1. e4 e5 2. Ke4 *

[White "C"]
[Black "D"]
[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]
[SetUp "1"]

1. e4 *
`

for (const size of Object.keys(page.SIZES)) {
  test(`without a terminal, on a ${size}`, async (t) => {
    const root = page.folder(t)
    const p = await page.open(await page.browser(t), size, await page.serve(t, '--root', root))
    await p.getByRole('heading', { name: 'Search chess games by what happens on the board' }).waitFor()
    await accessible(p)

    // Two files: what is left out of the second is said.
    const games = readFileSync(join(page.root, 'samples/games.pgn'))
    await p.locator('#files').setInputFiles([
      { name: 'games.pgn', mimeType: 'text/plain', buffer: games },
      { name: 'broken.pgn', mimeType: 'text/plain', buffer: Buffer.from(BROKEN) },
      { name: 'picture.png', mimeType: 'image/png', buffer: Buffer.from('x') },
    ])
    await p.locator('.additions', { hasText: '64 games added' }).waitFor()
    await p.getByText('not a file of games').waitFor()
    await p.getByText(/^Left out or kept in part: 2$/).click()
    await becomes(() => p.locator('.additions tbody tr').count(), 2)
    await accessible(p)
    await p.getByRole('button', { name: 'Search games.db' }).click()
    await p.locator('.example').first().waitFor()
    await p.locator('#database', { hasText: '65 games' }).waitFor({ state: size === 'phone' ? 'attached' : 'visible' })
    nothingWrong(p)

    // Adding more is the same gesture, and an open question sees it.
    await p.goto(`${new URL(p.url()).origin}/?db=games.db&q=${encodeURIComponent('Kh8 Pc6 ka6 ph5')}`)
    await says(p, /^nothing found/)
    await p.getByRole('button', { name: 'Add games' }).click()
    await accessible(p)
    const data = await p.evaluateHandle((text) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], 'studies.pgn'))
      return transfer
    }, readFileSync(join(page.root, 'samples/studies.pgn'), 'utf8'))
    await p.dispatchEvent('.drop', 'drop', { dataTransfer: data })
    await p.locator('.additions', { hasText: '22 games added' }).waitFor()
    await p.keyboard.press('Escape')
    await says(p, '1 position in 1 game')
    nothingWrong(p)
  })
}

test('a file that breaks off leaves nothing, says so, and is sent again', async (t) => {
  const root = page.folder(t)
  const way = await page.cable(t, await page.serve(t, '--root', root))
  const p = await page.open(await page.browser(t), 'desktop', way.address)
  await p.getByRole('heading', { name: 'Search chess games by what happens on the board' }).waitFor()
  // The file is much longer than what gets through.
  const games = readFileSync(join(page.root, 'samples/games.pgn'))
  const buffer = Buffer.concat(Array.from({ length: 40 }, () => Buffer.concat([games, Buffer.from('\n\n')])))
  way.limit = buffer.length / 4
  await p.locator('#files').setInputFiles([{ name: 'games.pgn', mimeType: 'text/plain', buffer }])
  await p.locator('.additions .failed', { hasText: /did not arrive whole; nothing of it was added/ }).waitFor()
  await accessible(p)
  await becomes(() => readdirSync(root), [])
  way.limit = Infinity
  await p.getByRole('button', { name: 'Send it again' }).click()
  await p.locator('.additions', { hasText: '64 games added' }).waitFor()
  await p.getByRole('button', { name: 'Search games.db' }).click()
  await p.locator('#database', { hasText: '64 games' }).waitFor()
  // The page asks before the program has begun (404), and the browser may send a broken request a second time (400).
  p.wrong = p.wrong.filter((words) => !/^40[04] .*\/imports\//.test(words))
  nothingWrong(p)
})

test('a database is chosen from a folder', async (t) => {
  const root = page.folder(t)
  mkdirSync(join(root, 'more'))
  page.cqldex('index', join(root, 'games.db'), 'samples/games.pgn')
  page.cqldex('index', join(root, 'more/studies.db'), 'samples/studies.pgn')
  const p = await page.open(await page.browser(t), 'desktop', await page.serve(t, '--root', root))
  await p.getByRole('button', { name: /more\/studies\.db/ }).click()
  await p.locator('#database', { hasText: '22 games' }).waitFor()
  await p.getByLabel('Database').selectOption('games.db')
  await p.locator('#database', { hasText: '64 games' }).waitFor()
  nothingWrong(p)
})

test('a database that grows shows its new games', async (t) => {
  const where = page.folder(t)
  const path = join(where, 'grows.db')
  page.cqldex('index', path, 'samples/games.pgn')
  const p = await page.open(await page.browser(t), 'desktop', `${await page.serve(t, path)}?q=${encodeURIComponent('Kh8 Pc6 ka6 ph5')}`)
  await says(p, /^nothing found in 64 games/)
  writeFileSync(join(where, 'copy.pgn'), readFileSync(join(page.root, 'samples/studies.pgn')))
  page.cqldex('index', path, join(where, 'copy.pgn'))
  await says(p, '1 position in 1 game')
  await p.locator('#database', { hasText: '86 games' }).waitFor()
  nothingWrong(p)
})
