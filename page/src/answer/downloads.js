// The menu with the files that the whole answer is downloaded as.

import { address } from '../api/client.js'
import { fill, h } from '../ui/dom.js'
import { icon } from '../ui/icons.js'

/** The formats by their names in the interface, with what they are called and what is in them. @type {[string, string, string][]} */
const FORMATS = [['pgn', 'PGN', 'games with comments'], ['jsonl', 'JSON', 'a match a line'], ['csv', 'CSV', 'a table'],
  ['parquet', 'Parquet', 'a table'], ['arrow', 'Arrow', 'a table']]

export class Downloads {
  constructor() {
    this.list = h('div', { class: 'download-list', onclick: () => this.close() })
    this.summary = h('summary', { class: 'button quiet', title: 'Download the whole answer' }, icon('download'), 'Download')
    this.element = h('details', { class: 'download-menu', hidden: true }, this.summary, this.list)
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || !this.element.open) return
      event.stopPropagation()
      this.close()
      this.summary.focus()
    })
    document.addEventListener('pointerdown', (event) => {
      if (!this.element.contains(/** @type {Node} */ (event.target))) this.close()
    })
  }

  close() {
    this.element.open = false
  }

  /** Offers the files of an answer, or nothing. @param {string|null} id */
  offer(id) {
    this.close()
    this.element.hidden = !id
    fill(this.list, ...(id ? FORMATS.map(([format, name, words]) => h('a', { class: 'button quiet', download: true,
      href: address(`answers/${id}/download`, { format }) }, h('span', {}, name), h('small', {}, words))) : []))
  }
}
