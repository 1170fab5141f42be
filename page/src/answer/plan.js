// How an answer is found: what the index does for each part, the plan with expected and actual numbers, and the times.

import { post } from '../api/client.js'
import { fill, h } from '../ui/dom.js'
import { counted, number, time } from '../ui/words.js'

/** @typedef {import('../api/types.js').Explanation} Explanation */
/** @typedef {import('../api/types.js').PlanLine} PlanLine */

/** What the index does for a part, in words. @type {Record<string, string>} */
const INDEX = {
  exact: 'the index answers it',
  'at most': 'the index leaves out what cannot match',
  nothing: 'every position that is left is looked at',
  behind: 'looked at behind a part that may fail',
}

/** @param {PlanLine} line @param {number} depth @returns {HTMLElement[]} */
function rows(line, depth) {
  const row = h('tr', {},
    h('td', { class: `plan-text depth-${Math.min(depth, 9)}` }, h('code', {}, line.text)),
    h('td', { class: 'amount' }, number(line.expected)),
    h('td', { class: 'amount' }, line.actual === null ? '' : number(line.actual)),
    h('td', { class: 'amount' }, line.actualMs === null ? '' : time(line.actualMs)))
  const hidden = line.hidden ? [h('tr', {}, h('td', { class: `plan-text depth-${Math.min(depth + 1, 9)}`, colspan: '4' },
    `and ${counted(line.hidden, 'more part')}`))] : []
  return [row, ...line.children.flatMap((child) => rows(child, depth + 1)), ...hidden]
}

/** @param {Explanation} explanation */
function view(explanation) {
  const { parts, plan, runs, transforms } = explanation
  const run = runs?.[0]
  return [
    h('p', {}, explanation.exact
      ? 'The index answers this question by itself.'
      : 'The index narrows the positions; what it cannot decide is looked at on the board.'),
    h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Parts of the question' },
      h('table', { class: 'plain-table' }, h('caption', {}, 'Parts of the question'),
        h('tbody', {}, parts.map((part) => h('tr', {}, h('td', {}, h('code', {}, part.text)),
          h('td', {}, INDEX[part.index] ?? part.index)))))),
    transforms.length > 0 && h('p', {}, 'Transforms: ', transforms.map((t) =>
      `${t.text}: ${counted(t.variants, 'variant')}`).join(', ')),
    plan && h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Plan' },
      h('table', { class: 'plain-table' }, h('caption', {}, 'Plan: positions that each part leaves'),
        h('thead', {}, h('tr', {}, ['Part', 'Expected', 'Found', 'Time'].map((words, at) =>
          h('th', { scope: 'col', class: at ? 'amount' : '' }, words)))),
        h('tbody', {}, rows(plan, 0)))),
    run && h('p', {}, `Searched: ${counted(run.positionsSearched, 'position')}. Left by the index: ${number(run.candidates)}. `,
      `Looked at: ${number(run.evaluated)}. Matches: ${number(run.positions)}. `,
      `${time(run.elapsedMs)}: index ${time(run.indexMs)}, boards ${time(run.evaluatorMs)} of all threads.`),
    h('p', { class: 'more' }, `Read in ${time(explanation.parseMs)}, transforms ${time(explanation.expandMs)}, `,
      `plan ${time(explanation.planMs)}.`),
    h('details', {}, h('summary', {}, 'The question as the program reads it'),
      h('pre', { tabindex: '0' }, explanation.tree.join('\n'))),
  ]
}

export class Plan {
  /** @param {() => {question: import('./search.js').Question, db: string}} asked */
  constructor(asked) {
    this.asked = asked
    this.element = h('div', { class: 'plan' })
    this.key = ''
    /** @type {AbortController|null} */
    this.running = null
  }

  async show() {
    const { question, db } = this.asked()
    const key = JSON.stringify([question, db])
    if (key === this.key) return
    this.key = key
    this.running?.abort()
    this.running = new AbortController()
    fill(this.element, h('p', { class: 'more' }, 'Asking how it is found …'))
    try {
      const { query, within, notWithin, variations } = question
      const explanation = await post('explain', { db },
        { query, within, notWithin, variations: variations || null, analyze: true }, this.running.signal)
      fill(this.element, ...view(explanation))
    } catch (error) {
      if (key !== this.key) return
      this.key = ''
      fill(this.element, h('p', { class: 'failed' }, error instanceof Error ? error.message : String(error)))
    }
  }
}
