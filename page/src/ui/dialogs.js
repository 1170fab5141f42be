// Dialogs with a heading and a way out.

import { fill, h } from './dom.js'
import { icon } from './icons.js'

let count = 0

/**
 * Opens a dialog; it is gone from the page when it is closed.
 * @param {string} title @param {(body: HTMLElement, close: () => void) => void} make @param {string} [name]  a class
 */
export function open(title, make, name = '') {
  const id = `dialog-${++count}`
  const body = h('div', { class: 'dialog-body' })
  const dialog = h('dialog', { class: `plain-dialog ${name}`, 'aria-labelledby': id },
    h('header', {}, h('h2', { id }, title),
      h('button', { type: 'button', class: 'tool', 'aria-label': 'Close (Escape)', title: 'Close (Escape)',
        onclick: () => dialog.close() }, icon('close'))), body,
    h('div', { class: 'unseen live', role: 'status', 'aria-live': 'polite' }))
  dialog.addEventListener('close', () => dialog.remove())
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close() })
  document.getElementById('dialogs')?.append(dialog)
  fill(body)
  make(body, () => dialog.close())
  dialog.showModal()
  return dialog
}
