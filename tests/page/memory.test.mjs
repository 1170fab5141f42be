// Part 7: memory.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as page from './harness.mjs'

const { accessible, asks, becomes, nothingWrong, parameter, says, write } = page

/** @type {{group: string, title: string, query: string, fen: string, marks: string[], start?: string, moves?: string}[]} */
const examples = JSON.parse(readFileSync(join(page.root, 'page/gallery.json'), 'utf8'))

test('each question of the gallery finds its board', (t) => {
  assert.ok(examples.length >= 30)
  const where = page.folder(t)
  const pgn = examples.map((example, index) => {
    const result = /result (\S+)/.exec(example.query)?.[1] ?? '*'
    const player = /player white "([^"]*)"/.exec(example.query)?.[1]
    const start = example.start ?? `${example.fen} - - 0 1`
    return [`[Event "${index}"]`, `[White "${player ? `${player} Mikhail` : '?'}"]`, '[Black "?"]', `[Result "${result}"]`,
      '[SetUp "1"]', `[FEN "${start}"]`, '', `${example.moves ?? ''} ${result}`, '', ''].join('\n')
  }).join('')
  writeFileSync(join(where, 'gallery.pgn'), pgn)
  page.cqldex('index', join(where, 'gallery.db'), join(where, 'gallery.pgn'))
  const placement = (fen) => fen.split(' ').slice(0, 2).join(' ')
  examples.forEach((example, index) => {
    const lines = page.cqldex('query', join(where, 'gallery.db'), example.query, '--json').trim().split('\n').map((line) => JSON.parse(line))
    const here = lines.filter((line) => line.type === 'match' && line.game === index + 1).map((line) => placement(line.fen))
    assert.ok(here.includes(placement(example.fen)), `${example.title}: ${example.query}`)
    for (const square of example.marks) assert.match(square, /^[a-h][1-8]$/)
  })
})

for (const size of Object.keys(page.SIZES)) {
  test(`memory, on a ${size}`, async (t) => {
    const address = await page.serve(t, page.samples(t))
    const browser = await page.browser(t)

    await t.test('the question is in the address', async () => {
      const query = 'flipcolor { mate N->k } ; "a&b" →'
      const p = await page.open(browser, size, `${address}?${new URLSearchParams({ q: query, view: 'table', order: 'year' })}`)
      await says(p, '2 positions in 2 games')
      await becomes(() => p.locator('.cm-content').innerText(), query)
      await becomes(() => p.getByRole('tab', { name: 'Games' }).getAttribute('aria-selected'), 'true')
      nothingWrong(p)
    })

    await t.test('a gallery of questions to start from, each with its board', async () => {
      const p = await page.open(browser, size, address)
      await p.locator('.example').first().waitFor()
      await becomes(() => p.locator('.example canvas').count(), examples.length)
      await accessible(p)
      await p.getByRole('link', { name: /Legall's/ }).click()
      await says(p, '1 position in 1 game')
      await p.goBack()
      await p.locator('.example').first().waitFor()
      await asks(p, '')
      nothingWrong(p)
    })

    await t.test('themes by groups, with a search', async () => {
      const p = await page.open(browser, size, address)
      await p.getByRole('button', { name: 'Themes' }).click()
      const dialog = p.getByRole('dialog', { name: 'Themes' })
      await dialog.getByRole('link', { name: "Legal's mate" }).waitFor()
      assert.ok(await dialog.getByRole('listitem').count() >= 120)
      await accessible(p)
      await dialog.getByRole('searchbox').fill('legal knight')
      await becomes(() => dialog.getByRole('status').first().innerText(), '1 theme')
      await becomes(() => dialog.getByRole('listitem').count(), 1)
      await dialog.getByRole('link', { name: "Legal's mate" }).click()
      await says(p, '1 position in 1 game')
      assert.match(await p.locator('.cm-content').innerText(), /ke7 Bf7 Ne5/)
      await becomes(() => dialog.count(), 0)
      nothingWrong(p)
    })

    await t.test('the address changes no more often than browsers allow', async () => {
      const p = await page.open(browser, size, address)
      await p.evaluate(() => {
        window.changes = 0
        const replace = window.history.replaceState
        window.history.replaceState = function (...words) { window.changes += 1; return replace.apply(this, words) }
      })
      await p.locator('.cm-content').click()
      const started = Date.now()
      await p.keyboard.type('mate'.padEnd(80), { delay: 5 })
      await p.keyboard.type(';')
      await asks(p, `${'mate'.padEnd(80)};`)
      const most = 2 + (Date.now() - started) / 200
      await becomes(() => p.evaluate(() => window.changes), (count) => count > 0 && count <= most, `at most ${most} changes`)
      nothingWrong(p)
    })

    await t.test('what was asked is in the history', async () => {
      const p = await page.open(browser, size, address)
      await write(p, 'stalemate')
      await says(p, '3 positions in 3 games')
      await p.getByRole('link', { name: 'cqldex, start' }).click()
      await p.getByRole('button', { name: 'History' }).click()
      await accessible(p)
      await p.locator('.history a', { hasText: 'stalemate' }).click()
      await says(p, '3 positions in 3 games')
      await p.getByRole('button', { name: 'History' }).click()
      await p.getByRole('button', { name: 'Forget all' }).click()
      await p.getByText('Forgotten.').waitFor()
      nothingWrong(p)
    })

    await t.test('an answer is saved as a set, which is renamed and deleted', async () => {
      const p = await page.open(browser, size, `${address}?q=stalemate`)
      await says(p, '3 positions in 3 games')
      const save = async (name) => {
        await p.locator('.downloads').getByRole('button', { name: 'Save' }).click()
        await p.getByLabel('Name of the set').fill(name)
        await p.locator('dialog.plain-dialog').getByRole('button', { name: 'Save' }).click()
      }
      await save('no name')
      await p.locator('dialog .failed', { hasText: "can't be the name of a set" }).waitFor()
      await accessible(p)
      await p.keyboard.press('Escape')
      await p.locator('dialog.plain-dialog').waitFor({ state: 'detached' })
      await save('draws')
      const chip = (name) => p.locator('.set-line').getByRole('button', { name, exact: true })
      await chip('draws').waitFor()
      await p.locator('dialog.plain-dialog').waitFor({ state: 'detached' })
      // A set is replaced only when that is said.
      await save('mates')
      await p.locator('dialog .failed', { hasText: 'there is a set mates already' }).waitFor()
      await p.getByRole('button', { name: 'Replace it' }).waitFor()
      await p.keyboard.press('Escape')
      await p.locator('dialog.plain-dialog').waitFor({ state: 'detached' })
      await write(p, 'positionset "draws" btm')
      await says(p, /^\d positions? in/)
      await chip('draws').click()
      await becomes(() => parameter(p, 'in'), 'draws')
      await p.getByRole('button', { name: 'Sets …' }).click()
      const name = p.getByLabel('Name of draws', { exact: true })
      await name.fill('stalemates')
      await accessible(p)
      await name.press('Enter')
      await p.getByLabel('Name of stalemates', { exact: true }).waitFor()
      await becomes(() => parameter(p, 'in'), 'stalemates')
      const row = p.locator('dialog li', { has: p.getByLabel('Name of stalemates', { exact: true }) })
      await row.getByRole('button', { name: 'Delete' }).click()
      await row.getByRole('button', { name: 'Really delete' }).click()
      await row.waitFor({ state: 'detached' })
      await becomes(() => parameter(p, 'in'), null)
      await p.keyboard.press('Escape')
      await becomes(() => chip('stalemates').count(), 0)
      await chip('mates').waitFor()
      p.wrong = p.wrong.filter((words) => !words.startsWith('409 '))
      nothingWrong(p)
    })

    await t.test('named sets are chips', async () => {
      const p = await page.open(browser, size, `${address}?q=${encodeURIComponent('N->k')}`)
      const all = Number((await says(p, /positions? in/)).split(' ')[0].replace(',', ''))
      await p.getByRole('button', { name: 'mates', exact: true }).click()
      await says(p, '2 positions in 2 games')
      await becomes(() => parameter(p, 'in'), 'mates')
      await accessible(p)
      await p.getByRole('button', { name: 'within mates' }).click()
      await says(p, new RegExp(`^${(all - 2).toLocaleString('en')} positions`))
      await becomes(() => parameter(p, 'out'), 'mates')
      nothingWrong(p)
    })
  })
}
