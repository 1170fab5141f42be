// Pictures of the page, with the sample games: `scripts/screenshots` runs this. The folder is the argument. With a second
// argument it takes states in both themes and sizes, to look at: `all`, or names with commas between them.

import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as page from './harness.mjs'

const [folder, all] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })

/** What the tests need of a test, for a script. */
const endings = []
const script = { after: (action) => endings.unshift(action) }

/** The one state for which no database is open. */
const START = 'start'
/** @type {[string, string, string, ((p: any) => Promise<void>)?][]} name, what is asked, what has to be there, what is done then */
const STATES = [
  ['question', `?q=${encodeURIComponent('flipcolor flipvertical { kg8 pg7 [bnp]f6 g7->f6 Q [x]f6 }')}`, '.card canvas'],
  ['game', `?q=${encodeURIComponent('flipcolor flipvertical { Bh7 kg8 Q }')}&game=11.29`, 'dialog.game .move.match'],
  ['pictures', '?q=check&view=pictures', '.heat-chart'],
  ['examples', '', '.example canvas'],
  ['arrows', `?q=${encodeURIComponent('Nf3 [Aa]e5 _e4 [QR]d1 f3->e5 d1--d8 wtm')}`, '.status-line'],
  ['table', '?q=check&view=table', '.row:not(.head) a'],
  ['plan', `?q=${encodeURIComponent('mate N attacks k')}&view=plan`, '.plan table'],
  ['text', `?q=${encodeURIComponent('path B[x]h7(check) k[x]h7')}`, '.board-note'],
  ['mistake', '?q=mate+flop', '.editor-note .code'],
  ['study', '?game=70', '.variation'],
  ['save', '?q=stalemate', '.card canvas', async (p) => {
    await p.locator('.downloads').getByRole('button', { name: 'Save' }).click()
    await p.getByLabel('Name of the set').fill('mates')
    await p.keyboard.press('Enter')
    await p.getByRole('button', { name: 'Replace it' }).waitFor()
  }],
  ['download', '?q=mate', '.card canvas', async (p) => { await p.locator('.download-menu summary').click() }],
  ['sets', '?q=check&in=mates', '.card canvas', async (p) => { await p.getByRole('button', { name: 'Sets …' }).click() }],
  ['completion', '', '.example canvas', async (p) => {
    await p.locator('.cm-content').click()
    await p.keyboard.type('player white "las', { delay: 20 })
    await p.locator('.cm-tooltip-autocomplete li').first().waitFor()
  }],
  ['nothing', `?q=${encodeURIComponent('Kh8 Qh7 kh6')}`, '.count'],
  ['progress', `?q=${encodeURIComponent('x = 0 while (x < 9000000) { x += 1 y = 0 while (y < 9000000) { y += 1 } }')}`, '.status-line progress:not([hidden])'],
  ['history', '?q=mate', '.card canvas', async (p) => { await p.getByRole('button', { name: 'History' }).click() }],
  ['keys', '?q=mate', '.card canvas', async (p) => { await p.getByRole('button', { name: 'Keys' }).click() }],
  ['conditions', `?q=${encodeURIComponent('player "Morphy" year >= 1850 year <= 1860 result 1-0')}`, '.card canvas', async (p) => {
    await p.locator('.conditions').scrollIntoViewIfNeeded()
  }],
  ['scrolled', '?q=check', '.card canvas', async (p) => { await p.mouse.wheel(0, 900) }],
  [START, '', '.drop', async (p) => {
    const buffer = Buffer.from('[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Ke4 *\n\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. e4 *\n')
    await p.locator('#files').setInputFiles([{ name: 'games.pgn', mimeType: 'text/plain', buffer: readFileSync(join(page.root, 'samples/games.pgn')) },
      { name: 'broken.pgn', mimeType: 'text/plain', buffer }, { name: 'picture.png', mimeType: 'image/png', buffer }])
    await p.getByText(/^Left out or kept in part/).click()
  }],
]
/** Those that README.md shows: state, size, theme. */
const SHOWN = [['question', 'desktop', 'light'], ['game', 'desktop', 'dark'], ['pictures', 'phone', 'light']]

const shots = all
  ? STATES.flatMap(([name]) => ['desktop', 'phone'].flatMap((size) => ['light', 'dark'].map((theme) => [name, size, theme])))
  : SHOWN
const address = await page.serve(script, page.samples(script))
const browser = await page.browser(script)
const shown = all && all !== 'all' ? shots.filter(([name]) => all.split(',').includes(name)) : shots
for (const [name, size, theme] of shown) {
  const [, search, wanted, act] = STATES.find(([other]) => other === name)
  const p = await page.open(browser, size, 'about:blank')
  await p.emulateMedia({ colorScheme: theme })
  await p.goto(name === START ? await page.serve(script, '--root', page.folder(script)) : address + search)
  await p.locator(wanted).first().waitFor()
  await act?.(p)
  await p.waitForTimeout(500)
  if (size === 'phone' && name === 'pictures') await p.locator('.answer-bar').evaluate((bar) => bar.scrollIntoView())
  await p.waitForTimeout(200)
  await p.screenshot({ path: join(resolve(folder), all ? `${name}-${size}-${theme}.png` : `${name}.png`) })
  await p.context().close()
}
for (const end of endings) await end()
process.exit(0)
