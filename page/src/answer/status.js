// How the answer stands: counts, time, progress, errors.

import { fill, h } from '../ui/dom.js'
import { counted, number, time } from '../ui/words.js'

/** @typedef {import('./answer.js').Answer} Answer */

/** The answer in one line of plain words. @param {Answer} answer */
export function sentence(answer) {
  const { state, progress, summary } = answer
  if (state === 'failed') return answer.error?.message ?? 'failed'
  if (state === 'queued') return answer.place > 1 ? `${answer.place} questions are before this one` : 'this question is next'
  if (!summary) {
    if (!progress) return 'searching'
    return `${counted(progress.positions, 'position')} so far, in ${counted(progress.games, 'game')}`
  }
  if (!summary.positions) return `nothing found in ${counted(summary.gamesSearched, 'game')}`
  return `${counted(summary.positions, 'position')} in ${counted(summary.games, 'game')}`
}

export class Status {
  /** @param {HTMLElement} host @param {(words: string) => void} say @param {() => void} stop */
  constructor(host, say, stop) {
    this.say = say
    this.words = h('strong', { class: 'count' })
    this.more = h('span', { class: 'more' })
    this.bar = h('progress', { max: '1', value: '0', 'aria-label': 'Progress of the search', hidden: true })
    this.stop = h('button', { type: 'button', class: 'quiet', hidden: true, onclick: stop }, 'Stop')
    this.notes = h('div', { class: 'notes' })
    fill(host, h('div', { class: 'status-line' }, this.words, this.more, this.bar, this.stop), this.notes)
    this.spoken = ''
    /** Progress is shown only if a search takes a while: what comes and goes in a blink disturbs. */
    this.timer = 0
    /** @type {Answer|null} */
    this.answer = null
  }

  /** Nothing is asked. */
  rest() {
    this.#settle()
    this.words.textContent = ''
    this.more.textContent = ''
    fill(this.notes)
  }

  /** No search runs: no progress. */
  #settle() {
    clearTimeout(this.timer)
    this.timer = 0
    this.bar.hidden = true
    this.stop.hidden = true
  }

  /** @param {Answer} answer */
  show(answer) {
    const { state, summary, progress } = answer
    const ended = answer.ended
    if (ended || answer !== this.answer) this.#settle()
    this.answer = answer
    if (ended || progress || state === 'queued') this.words.textContent = sentence(answer)
    this.words.classList.toggle('failed', state === 'failed')
    this.more.textContent = summary
      ? [time(summary.elapsedMs), summary.waitedMs >= 50 && `waited ${time(summary.waitedMs)}`,
        `${number(summary.gamesSearched)} games searched`,
        summary.keptGames && summary.keptGames >= summary.gamesSearched && 'known from before'].filter(Boolean).join(' · ')
      : ''
    if (!ended) this.timer ||= window.setTimeout(() => { this.bar.hidden = false; this.stop.hidden = false }, 250)
    if (progress) this.bar.value = progress.fraction
    else this.bar.removeAttribute('value')
    fill(this.notes, ...(summary ? this.#notes(summary, answer) : []))
    if (ended) this.#speak(sentence(answer))
  }

  /** @param {import('../api/types.js').Summary} summary @param {Answer} answer */
  #notes(summary, answer) {
    const notes = []
    if (answer.held < summary.positions) {
      notes.push(`The first ${number(answer.held)} can be looked at here; a download has all.`)
    }
    for (const set of summary.incompleteSets) notes.push(`The set ${set.name} lacks ${counted(set.games, 'game')}.`)
    const lines = notes.map((note) => h('p', {}, note))
    if (summary.messages.length) {
      lines.push(h('p', {}, h('span', { class: 'caption' }, 'Messages'), ' ', summary.messages.slice(0, 100).join(' ')))
    }
    if (summary.persistent.length) {
      lines.push(h('p', {}, summary.persistent.map(({ name, value }) => `${name} = ${value}`).join(', ')))
    }
    return lines
  }

  /** Says the end of a search once. @param {string} words */
  #speak(words) {
    if (words === this.spoken) return
    this.spoken = words
    this.say(words)
  }
}
