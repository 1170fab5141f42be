// The history as a list.

import { open } from '../ui/dialogs.js'
import { fill, h } from '../ui/dom.js'
import { counted } from '../ui/words.js'
import { entries, forget } from './history.js'

/** "5 minutes ago". @param {number} at @param {number} now */
export function ago(at, now) {
  const minutes = Math.round((now - at) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${counted(minutes, 'minute')} ago`
  if (minutes < 60 * 36) return `${counted(Math.round(minutes / 60), 'hour')} ago`
  return `${counted(Math.round(minutes / 60 / 24), 'day')} ago`
}

export function showHistory() {
  open('Questions asked before', (body) => {
    const list = entries()
    if (!list.length) {
      fill(body, h('p', { class: 'more' }, 'None yet. They stay in this browser.'))
      return
    }
    const now = Date.now()
    fill(body, h('ul', { class: 'history' }, list.map((entry) => h('li', {},
      h('a', { href: `./${entry.search}`, 'data-inside': true }, h('code', {}, entry.query)),
      h('span', { class: 'more' }, [entry.positions === null ? null : counted(entry.positions, 'position'), ago(entry.at, now)]
        .filter(Boolean).join(' · '))))),
    h('button', { type: 'button', onclick: () => { forget(); fill(body, h('p', { class: 'more' }, 'Forgotten.')) } }, 'Forget all'))
  })
}
