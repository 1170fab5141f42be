// Bars and a heat map as SVG, with the same numbers as a table for those who can't see them.

import { FILES } from '../query/pattern.js'
import { h, svg } from '../ui/dom.js'
import { number } from '../ui/words.js'

/** @typedef {{label: string, value: number, share?: number, title?: string}} Bar */

/** A round number that is not below this one. @param {number} value */
export function ceiling(value) {
  if (value <= 5) return Math.max(1, value)
  const unit = 10 ** Math.floor(Math.log10(value))
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * unit).find((step) => step >= value) ?? value
}

/**
 * Joins neighbors so that few enough bars are left.
 * @param {{from: number, value: number, base: number}[]} values  in order @param {number} most
 * @param {number} [least]  how wide a group is at least
 * @returns {{from: number, to: number, value: number, base: number}[]}
 */
export function groups(values, most, least = 1) {
  if (!values.length) return []
  const first = values[0].from
  const last = values[values.length - 1].from
  const width = [1, 2, 5, 10, 20, 25, 50, 100].find((step) => step >= least && Math.floor(last / step) - Math.floor(first / step) < most) ?? 200
  const start = Math.floor(first / width)
  const found = Array.from({ length: Math.floor(last / width) - start + 1 }, (_, index) => ({
    from: (start + index) * width, to: (start + index) * width + width - 1, value: 0, base: 0 }))
  for (const { from, value, base } of values) {
    const group = found[Math.floor(from / width) - start]
    group.value += value
    group.base += base
  }
  return found
}

/** @param {string} caption @param {Bar[]} bars @param {string} unit */
function asTable(caption, bars, unit) {
  return h('table', { class: 'unseen' }, h('caption', {}, caption),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Group'), h('th', { scope: 'col' }, unit))),
    h('tbody', {}, bars.map((bar) => h('tr', {}, h('th', { scope: 'row' }, bar.label), h('td', {}, number(bar.value))))))
}

/**
 * Upright bars, for what has an order: years, move numbers, ratings.
 * @param {string} caption @param {Bar[]} bars @param {string} unit
 */
export function columns(caption, bars, unit) {
  const [width, height, foot, left] = [360, 150, 18, 44]
  const top = ceiling(Math.max(...bars.map((bar) => bar.value)))
  const step = (width - left) / bars.length
  const y = (/** @type {number} */ value) => 8 + (height - foot - 8) * (1 - value / top)
  const lines = [0, 0.5, 1].filter((part) => part !== 0.5 || top % 2 === 0 || top > 5).map((part) => [
    svg('line', { class: 'grid-line', x1: left, x2: width, y1: y(top * part), y2: y(top * part) }),
    svg('text', { class: 'tick-text', x: left - 6, y: y(top * part) + 4, 'text-anchor': 'end' }, short(top * part)),
  ])
  const every = Math.ceil(bars.length / 7)
  const drawn = bars.map((bar, index) => svg('g', {},
    svg('title', {}, bar.title ?? `${bar.label}: ${number(bar.value)}`),
    svg('rect', { class: 'hit', x: left + index * step, y: 0, width: step, height: height - foot }),
    svg('rect', { class: 'bar', x: left + index * step + step * 0.1, y: y(bar.value), width: step * 0.8,
      height: Math.max(0, height - foot - y(bar.value)), rx: Math.min(2, step * 0.2) }),
    index % every === 0 && svg('text', { class: 'tick-text', x: left + (index + 0.5) * step, y: height - 4,
      'text-anchor': 'middle' }, bar.label)))
  return h('figure', { class: 'chart' }, h('figcaption', {}, caption),
    svg('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, ...lines.flat(), ...drawn), asTable(caption, bars, unit))
}

/**
 * Lying bars, for what has names: results, openings.
 * @param {string} caption @param {Bar[]} bars @param {string} unit
 */
export function rows(caption, bars, unit) {
  const [width, line, left, right] = [360, 22, 56, 78]
  const top = Math.max(1, ...bars.map((bar) => bar.value))
  const drawn = bars.map((bar, index) => svg('g', {}, svg('title', {}, bar.title ?? `${bar.label}: ${number(bar.value)}`),
    svg('text', { class: 'row-text', x: left - 8, y: index * line + 15, 'text-anchor': 'end' }, bar.label),
    svg('rect', { class: 'bar', x: left, y: index * line + 3, height: line - 6, rx: 2,
      width: Math.max(1, ((width - left - right) * bar.value) / top) }),
    svg('text', { class: 'tick-text', x: left + ((width - left - right) * bar.value) / top + 6, y: index * line + 15 },
      number(bar.value) + (bar.share === undefined ? '' : ` · ${Math.round(bar.share * 100)}%`))))
  return h('figure', { class: 'chart' }, h('figcaption', {}, caption),
    svg('svg', { viewBox: `0 0 ${width} ${Math.max(1, bars.length) * line}`, 'aria-hidden': 'true' }, ...drawn),
    asTable(caption, bars, unit))
}

/**
 * A board on which squares that are more often in a set have more color.
 * @param {string} caption @param {readonly number[]} counts  a1, b1 ... h8 @param {number} positions
 */
export function heatMap(caption, counts, positions) {
  const top = Math.max(1, ...counts)
  const squares = counts.map((count, index) => {
    const [x, y] = [index % 8, 7 - Math.floor(index / 8)]
    const name = FILES[index % 8] + (Math.floor(index / 8) + 1)
    const share = positions ? count / positions : 0
    return svg('g', {}, svg('title', {}, `${name}: ${number(count)}`),
      svg('rect', { class: (x + y) % 2 ? 'heat-dark' : 'heat-light', x: x * 30, y: y * 30, width: 30, height: 30 }),
      svg('rect', { class: 'heat', x: x * 30, y: y * 30, width: 30, height: 30, 'fill-opacity': (0.95 * Math.sqrt(count / top)).toFixed(3) }),
      count > 0 && svg('text', { class: count / top > 0.3 ? 'heat-text strong' : 'heat-text', x: x * 30 + 15, y: y * 30 + 19,
        'text-anchor': 'middle' }, percent(share)))
  })
  const rows = Array.from({ length: 8 }, (_, row) => h('tr', {}, h('th', { scope: 'row' }, String(8 - row)),
    Array.from({ length: 8 }, (__, file) => h('td', {}, number(counts[(7 - row) * 8 + file])))))
  return h('figure', { class: 'chart heat-chart' }, h('figcaption', {}, caption),
    svg('svg', { viewBox: '0 0 240 240', 'aria-hidden': 'true' }, ...squares),
    h('table', { class: 'unseen' }, h('caption', {}, caption), h('thead', {}, h('tr', {}, h('td', {}),
      [...FILES].map((file) => h('th', { scope: 'col' }, file)))), h('tbody', {}, rows)))
}

/** @param {number} share */
const percent = (share) => (share >= 0.095 ? `${Math.round(share * 100)}%` : share >= 0.005 ? `${(share * 100).toFixed(1)}` : '·')

/** @param {number} value */
function short(value) {
  if (value >= 1e6) return `${+(value / 1e6).toPrecision(2)}M`
  if (value >= 1e4) return `${+(value / 1e3).toPrecision(3)}k`
  return number(value)
}
