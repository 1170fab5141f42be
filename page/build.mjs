// Builds the page into dist/: one script, one style sheet, the pictures of the men, and the licences of what is inside.

import { build } from 'esbuild'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const dist = join(here, 'dist')
/** Of all files together, compressed. */
const LIMIT = 300_000

/** The men come from the style sheet of chessground, where they are written as base64. */
function men() {
  const css = readFileSync(join(here, 'node_modules/@lichess-org/chessground/assets/chessground.cburnett.css'), 'utf8')
  const letters = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' }
  const rule = /piece\.(\w+)\.(white|black)\s*\{\s*background-image:\s*url\('data:image\/svg\+xml;base64,([^']+)'\)/g
  let count = 0
  for (const [, role, color, data] of css.matchAll(rule)) {
    writeFileSync(join(dist, 'men', `${color[0]}${letters[role]}.svg`), Buffer.from(data, 'base64'))
    count += 1
  }
  if (count !== 12) throw new Error(`${count} men in the style sheet of chessground instead of 12`)
}

/** The licences of the packages of which something is in the bundle. @param {string[]} inputs */
function licences(inputs) {
  const packages = new Set(inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean))
  const parts = [...packages].sort().map((name) => {
    const folder = join(here, 'node_modules', name)
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}`
  })
  const men = 'The pictures of the men were drawn by Colin M.L. Burnett and come with chessground (GPL-2.0-or-later).'
  writeFileSync(join(dist, 'THIRD-PARTY.txt'), `${[men, ...parts].join(`\n\n${'-'.repeat(78)}\n\n`)}\n`)
}

/** The names and compressed sizes of all files of a folder. @param {string} folder @returns {[string, number][]} */
function sizes(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sizes(path)
    return [/** @type {[string, number]} */ ([relative(dist, path), gzipSync(readFileSync(path), { level: 9 }).length])]
  })
}

rmSync(dist, { recursive: true, force: true })
mkdirSync(join(dist, 'men'), { recursive: true })
men()
for (const name of ['wA.svg', 'bA.svg', 'empty.svg']) cpSync(join(here, 'art', name), join(dist, 'men', name))
cpSync(join(here, 'art/icon.svg'), join(dist, 'icon.svg'))
for (const name of ['index.html', 'gallery.json']) if (existsSync(join(here, name))) cpSync(join(here, name), join(dist, name))

const result = await build({
  entryPoints: { app: join(here, 'src/main.js'), style: join(here, 'src/styles/all.css') },
  bundle: true, minify: true, format: 'esm', target: 'es2022', outdir: dist, metafile: true, legalComments: 'none',
  external: ['men/*'], absWorkingDir: here, logLevel: 'warning',
})
licences(Object.keys(result.metafile.inputs))

const all = sizes(dist)
const loaded = all.filter(([name]) => name !== 'THIRD-PARTY.txt').reduce((sum, [, bytes]) => sum + bytes, 0)
console.log(`page/dist: ${all.length} files, ${(loaded / 1000).toFixed(0)} kB compressed`)
if (loaded > LIMIT) throw new Error(`the page is larger than ${LIMIT / 1000} kB`)
