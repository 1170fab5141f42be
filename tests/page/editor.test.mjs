// Part 2: the editor.

import { test } from 'node:test'
import * as page from './harness.mjs'

const { accessible, asks, becomes, nothingWrong, says, write } = page

for (const size of Object.keys(page.SIZES)) {
  test(`the editor knows the language, on a ${size}`, async (t) => {
    const address = await page.serve(t, page.samples(t))
    const browser = await page.browser(t)

    await t.test('words, men and numbers have colors', async () => {
      const p = await page.open(browser, size, address)
      await write(p, 'mate N attacks k #P > 3 ; pawns')
      for (const [name, text] of [['keyword', 'mate'], ['designator', 'N'], ['number', '3'], ['comment', '; pawns']]) {
        await p.locator(`.cql-${name}`, { hasText: text }).first().waitFor()
      }
      await accessible(p)
      nothingWrong(p)
    })

    await t.test('errors are underlined as one types, and the answer before stays', async () => {
      const p = await page.open(browser, size, address)
      await write(p, 'mate')
      await says(p, '18 positions in 18 games')
      await p.locator('.cm-content').click()
      await p.keyboard.press('End')
      await p.keyboard.type(' flop')
      await p.locator('.cm-lintRange-error', { hasText: /^flop$/ }).waitFor()
      await p.locator('.editor-note .code', { hasText: 'Q301' }).waitFor()
      await becomes(() => p.locator('.card').count(), (count) => count > 0, 'the answer before')
      await accessible(p)
      for (let i = 0; i < 5; i += 1) await p.keyboard.press('Backspace')
      await asks(p, 'mate')
      await becomes(() => p.locator('.cm-lintRange-error').count(), 0)
      await says(p, '18 positions in 18 games')
      nothingWrong(p)
    })

    await t.test('words are completed, with their documentation', async () => {
      const p = await page.open(browser, size, address)
      await p.locator('.cm-content').click()
      await p.keyboard.type('passedp', { delay: 15 })
      await p.locator('.cm-tooltip-autocomplete li', { hasText: 'passedpawns' }).waitFor()
      await p.locator('.cm-completionInfo .form-text').first().waitFor()
      // A list that has just opened takes no Enter: it could be meant for the text.
      await p.waitForTimeout(300)
      await p.keyboard.press('Enter')
      await asks(p, 'passedpawns')
      nothingWrong(p)
    })

    await t.test('names of players are completed inside the text of a filter', async () => {
      const p = await page.open(browser, size, address)
      await p.locator('.cm-content').click()
      await p.keyboard.type('player white "morp', { delay: 15 })
      await p.locator('.cm-tooltip-autocomplete li', { hasText: 'Morphy, Paul' }).waitFor()
      await becomes(() => p.locator('.cm-tooltip-autocomplete li').first().innerText(), /^Morphy, Paul\s*\d+ games?$/)
      await accessible(p)
      await p.waitForTimeout(300)
      await p.keyboard.press('Enter')
      await asks(p, 'player white "Morphy, Paul"')
      await says(p, /positions in \d+ games?$/)
      nothingWrong(p)
    })

    await t.test('a key writes the symbols, and back', async () => {
      const p = await page.open(browser, size, address)
      await write(p, 'flip { Ra1 Ra1->k }')
      await p.locator('.cm-content').press('Alt+u')
      await asks(p, '✵ { ♖a1 ♖a1→♚ }')
      await says(p, /position/)
      await p.getByRole('button', { name: '→ as ->' }).click()
      await asks(p, 'flip { Ra1 Ra1->k }')
      nothingWrong(p)
    })

    await t.test('older dialects are recognised and said', async () => {
      const p = await page.open(browser, size, address)
      await write(p, '(match (position Rc3 qg3 :shift))')
      await p.getByText('Read as CQL 1 to 3.').waitFor()
      await p.getByRole('button', { name: 'Write it in CQL 6.2' }).click()
      await becomes(() => page.parameter(p, 'q'), (query) => /shift/.test(query) && !/match/.test(query), 'CQL 6.2')
      await says(p, /position|nothing/)
      nothingWrong(p)
    })
  })
}

test('the documentation of a word shows on hover', async (t) => {
  const p = await page.open(await page.browser(t), 'desktop', await page.serve(t, page.samples(t)))
  await write(p, 'N attacks k')
  await says(p, /positions in/)
  const word = await p.locator('.cql-keyword', { hasText: 'attacks' }).boundingBox()
  // The pointer has to move on the word: one that only stands there does not ask.
  await p.mouse.move(word.x + 5, word.y + word.height / 2)
  await p.mouse.move(word.x + word.width / 2, word.y + word.height / 2, { steps: 3 })
  await p.locator('.cm-tooltip-hover .form-text', { hasText: 'attacks' }).first().waitFor()
  page.nothingWrong(p)
})
