// The house rules that a program can check.

import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'

const source = join(dirname(fileURLToPath(import.meta.url)), '../src')

/** @param {string} folder @returns {string[]} */
const scripts = (folder) => readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory()
  ? scripts(join(folder, entry.name)) : entry.name.endsWith('.js') ? [join(folder, entry.name)] : []))

const files = scripts(source)
/** Each file with the files that it imports. */
const imports = new Map(files.map((file) => [file, [...readFileSync(file, 'utf8').matchAll(/^import .*?from '(\.[^']+)'/gms)]
  .map((match) => join(dirname(file), match[1]))]))

test('files are short', () => {
  for (const file of files) {
    const lines = readFileSync(file, 'utf8').split('\n').length
    assert.ok(lines <= 300, `${relative(source, file)} has ${lines} lines`)
  }
})

test('no file imports itself by way of others', () => {
  /** @param {string} file @param {string[]} way */
  const visit = (file, way) => {
    assert.ok(!way.includes(file), [...way, file].map((name) => relative(source, name)).join(' -> '))
    for (const next of imports.get(file) ?? []) visit(next, [...way, file])
  }
  for (const file of files) visit(file, [])
})

test('every file is used', () => {
  const used = new Set([...imports.values()].flat())
  for (const file of files) {
    const name = relative(source, file)
    // Types are used in comments only.
    if (name !== 'main.js' && name !== 'api/types.js') assert.ok(used.has(file), `${name} is not used`)
  }
})

test('what the board asks for needs no screen', () => {
  for (const file of files.filter((name) => relative(source, name).startsWith('query'))) {
    assert.doesNotMatch(readFileSync(file, 'utf8'), /\b(document|window)\./, file)
    for (const other of imports.get(file) ?? []) assert.match(relative(source, other), /^query/)
  }
})

test('text of games never becomes HTML', () => {
  for (const file of files) {
    const way = /innerHTML|outerHTML|insertAdjacentHTML|setHTML|srcdoc|document\.write|DOMParser|createContextualFragment|\beval\(|new Function/
    assert.doesNotMatch(readFileSync(file, 'utf8'), way, relative(source, file))
  }
})
