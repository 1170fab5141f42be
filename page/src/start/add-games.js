// Where files of games are dropped: the way in for those who have no terminal.

import { prose } from '../editor/help.js'
import { h } from '../ui/dom.js'
import { counted, number, size } from '../ui/words.js'
import { Adding } from './import.js'

/** What a file of games is called. */
const GAMES = /\.(pgn|pgn\.(zst|gz|bz2)|zst|gz|bz2)$/i

/** @param {Adding} adding */
function sentence({ report, failure, ended }) {
  if (failure) return failure
  const summary = report?.summary
  if (ended && summary) {
    return [`${counted(summary.games, 'game')} added`, summary.knownGames && `${number(summary.knownGames)} known before`,
      summary.duplicates && `${number(summary.duplicates)} twice`, summary.skippedGames && `${number(summary.skippedGames)} left out`,
      summary.damagedGames && `${number(summary.damagedGames)} kept in part`].filter(Boolean).join(', ')
  }
  if (!report || report.state === 'waiting') return 'waiting'
  return `${counted(report.games, 'game')} read`
}

export class AddGames {
  /**
   * @param {{db: string|null, fixed: boolean, done: (db: string) => void, say: (words: string) => void}} options
   *   `fixed`: the games go to this database; otherwise a name can be given
   */
  constructor({ db, fixed, done, say }) {
    this.done = done
    this.say = say
    /** @type {Promise<void>} */
    this.queue = Promise.resolve()
    this.list = h('ul', { class: 'additions', 'aria-label': 'Files' })
    this.name = h('input', { type: 'text', value: db ?? '', placeholder: 'games.db', spellcheck: 'false', autocomplete: 'off',
      readonly: fixed })
    this.input = h('input', { type: 'file', multiple: true, class: 'unseen', id: 'files', accept: '.pgn,.zst,.gz,.bz2',
      onchange: () => { this.add(this.input.files); this.input.value = '' } })
    this.drop = h('div', { class: 'drop' },
      h('p', {}, h('strong', {}, 'Drop PGN files here'), ', or ', h('label', { for: 'files', class: 'button' }, 'choose files'), this.input),
      h('p', { class: 'more' }, 'Packed files are fine: .zst, .gz, .bz2.'),
      h('label', { class: 'line' }, fixed ? 'They are added to' : 'They go into the database', this.name))
    this.element = h('div', { class: 'add-games' }, this.drop, this.list)
    this.drop.addEventListener('dragover', (event) => { event.preventDefault(); this.drop.classList.add('over') })
    this.drop.addEventListener('dragleave', () => this.drop.classList.remove('over'))
    this.drop.addEventListener('drop', (event) => {
      event.preventDefault()
      event.stopPropagation()
      this.drop.classList.remove('over')
      this.add(event.dataTransfer?.files)
    })
  }

  /** The database that the games go to. @param {string} file */
  #target(file) {
    const name = this.name.value.trim() || `${file.replace(GAMES, '') || 'games'}.db`
    this.name.value = name
    return name
  }

  /** @param {FileList|null|undefined} files */
  add(files) {
    for (const file of files ?? []) {
      const row = new Row(file)
      this.list.append(row.element)
      if (!GAMES.test(file.name)) { row.refuse('not a file of games: .pgn, or one that is packed'); continue }
      this.#send(file, row, this.#target(file.name))
    }
  }

  /** @param {File} file @param {Row} row @param {string} db */
  #send(file, row, db) {
    const adding = new Adding(file, db, (now) => row.show(now))
    row.begin(() => adding.stop(), () => this.#send(file, row, db))
    this.queue = this.queue.then(async () => {
      await adding.run()
      this.say(`${file.name}: ${sentence(adding)}`)
      if (adding.report?.summary) this.done(adding.db)
    })
  }
}

/** One file and how far it is. */
class Row {
  /** @param {File} file */
  constructor(file) {
    this.words = h('span', { class: 'more' }, 'waiting')
    this.bar = h('progress', { max: '1', value: '0', 'aria-label': `Progress of ${file.name}` })
    this.stop = h('button', { type: 'button', class: 'quiet', onclick: () => this.onStop() }, 'Stop')
    this.again = h('button', { type: 'button', hidden: true, onclick: () => this.onAgain() }, 'Send it again')
    this.onStop = () => {}
    this.onAgain = () => {}
    this.count = h('summary', {})
    this.rows = h('tbody', {})
    this.skipped = h('details', { hidden: true }, this.count, h('div', { class: 'scroll', tabindex: '0', role: 'region',
      'aria-label': `Left out of ${file.name}` }, h('table', { class: 'plain-table' },
      h('thead', {}, h('tr', {}, ['Game', 'Line', 'Reason', 'Outcome'].map((words, at) =>
        h('th', { scope: 'col', class: at < 2 ? 'amount' : '' }, words)))), this.rows)))
    this.element = h('li', {}, h('div', { class: 'line' }, h('strong', {}, file.name), h('span', { class: 'more' }, size(file.size)),
      this.bar, this.words, this.stop, this.again), this.skipped)
  }

  /** The file is sent, perhaps not for the first time. @param {() => void} stop @param {() => void} again */
  begin(stop, again) {
    this.onStop = stop
    this.onAgain = again
    this.words.textContent = 'waiting'
    this.words.classList.remove('failed')
    this.bar.value = 0
    this.bar.hidden = false
    this.stop.hidden = false
    this.again.hidden = true
    this.rows.replaceChildren()
    this.skipped.hidden = true
  }

  /** @param {string} words */
  refuse(words) {
    this.words.textContent = words
    this.words.classList.add('failed')
    this.bar.hidden = true
    this.stop.hidden = true
  }

  /** @param {Adding} adding */
  show(adding) {
    const { report } = adding
    this.words.textContent = sentence(adding)
    this.words.classList.toggle('failed', adding.failure !== null)
    if (report?.bytesTotal) this.bar.value = adding.ended ? 1 : report.bytesDone / report.bytesTotal
    if (adding.ended) {
      this.stop.hidden = true
      this.bar.hidden = adding.failure !== null
      this.again.hidden = adding.failure === null
    }
    const { skipped } = adding
    this.skipped.hidden = !skipped.length
    if (!skipped.length) return
    this.count.textContent = `Left out or kept in part: ${number(report?.skippedTotal ?? skipped.length)}`
    for (const entry of skipped.slice(this.rows.childElementCount, 1000)) {
      this.rows.append(h('tr', {}, h('td', { class: 'amount' }, number(entry.game)), h('td', { class: 'amount' }, number(entry.line)),
        h('td', {}, ...prose(entry.reason)), h('td', {}, entry.kept ? 'kept in part' : 'left out')))
    }
  }
}
