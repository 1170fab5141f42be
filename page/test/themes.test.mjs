// Which themes a text finds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { found } from '../src/memory/theme-search.js'

const theme = (name, title, tags = []) => ({ name, title, tags, group: 'mates', about: 'A man stands.', source: '', link: null, query: 'mate' })
const all = [theme('boden-mate', "Boden's mate", ['bishop']), theme('arabian-mate', 'Arabian mate', ['rook', 'knight'])]
const names = (text) => found(all, text).map((one) => one.name)

test('each word of a text begins a word of the theme', () => {
  assert.deepEqual(names(''), ['boden-mate', 'arabian-mate'])
  assert.deepEqual(names('Bod'), ['boden-mate'])
  assert.deepEqual(names('knight arab'), ['arabian-mate'])
  assert.deepEqual(names('oden'), [])
  assert.deepEqual(names('mates man'), ['boden-mate', 'arabian-mate'])
})
