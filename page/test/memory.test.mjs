import assert from 'node:assert/strict'
import { test } from 'node:test'
import { START, read, write } from '../src/memory/address.js'
import { added } from '../src/memory/history.js'
import { lines } from '../src/api/lines.js'
import { ceiling, groups } from '../src/answer/charts.js'

test('an address tells the place that wrote it', () => {
  const places = [
    START,
    { ...START, query: 'mate N attacks k' },
    { ...START, query: '♘→♚ "a&b=c#d?"\nwtm', within: ['a b', 'c&d'], notWithin: ['e'], variations: true, db: 'x/y.db',
      view: 'table', order: '-year', game: { game: 12, position: 34 } },
    { ...START, game: { game: 7, position: null } },
  ]
  for (const place of places) assert.deepEqual(read(write(place)), place)
  assert.equal(write(START), '')
})

test('an address that nobody wrote is the start', () => {
  assert.deepEqual(read('?view=x&order=y&game=abc&game=1.&variations=yes'), START)
})

const entry = (/** @type {string} */ query, /** @type {number} */ at) => ({ query, search: `?q=${query}`, positions: 1, at })

test('what is still typed takes one line of the history', () => {
  let list = added([], entry('ma', 0))
  list = added(list, entry('mate', 1000))
  list = added(list, entry('mate N', 40_000))
  assert.deepEqual(list.map(({ query }) => query), ['mate N', 'mate'])
  assert.deepEqual(added(list, entry('mate', 90_000)).map(({ query }) => query), ['mate', 'mate N'])
})

test('lines come whole, wherever the bytes are cut', async () => {
  const text = '{"a":"→"}\n\n{"b":2}\n{"c":3}'
  const bytes = new TextEncoder().encode(text)
  for (let size = 1; size < bytes.length; size += 1) {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const found = []
    for await (const line of lines(body)) found.push(line)
    assert.deepEqual(found, ['{"a":"→"}', '{"b":2}', '{"c":3}'])
  }
})

test('an axis ends at a round number', () => {
  assert.deepEqual([0, 1, 3, 7, 12, 180, 999, 4100].map(ceiling), [1, 1, 3, 8, 15, 200, 1000, 5000])
})

test('neighbors are joined until there are few enough', () => {
  const years = Array.from({ length: 100 }, (_, index) => ({ from: 1900 + index, value: 1, base: 2 }))
  const joined = groups(years, 30)
  assert.equal(joined.length, 20)
  assert.deepEqual(joined[0], { from: 1900, to: 1904, value: 5, base: 10 })
  assert.equal(joined.reduce((sum, group) => sum + group.value, 0), 100)
  assert.deepEqual(groups([{ from: 3, value: 1, base: 1 }, { from: 5, value: 2, base: 2 }], 10).map(({ value }) => value), [1, 0, 2])
})
