// The question as text. What the text means is asked from the program; this file puts the answers on the screen.

import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { Annotation, EditorState } from '@codemirror/state'
import { EditorView, drawSelection, keymap, placeholder } from '@codemirror/view'
import { capitalized } from '../ui/words.js'
import { color, colors } from './colors.js'
import { completion } from './completion.js'
import { hover } from './help.js'

/** @typedef {import('../api/types.js').Check} Check */
/** @typedef {import('../api/types.js').Fix} Fix */
/** @typedef {import('../api/types.js').Form} Form */

/** Marks changes that this page makes, as against those that someone types. */
const ours = Annotation.define()

/**
 * @typedef {Object} Program
 * @property {(text: string, at?: number) => Promise<Check|null>} check  null if it can't be asked
 * @property {(word: string) => Promise<readonly Form[]>} formsOf
 * @property {() => void} otherSpelling  turns `->` into `→` or back
 * @property {() => void} run            asks the question at once
 */

export class Editor {
  /** @param {HTMLElement} host @param {(text: string) => void} typed @param {Program} program */
  constructor(host, typed, program) {
    const nonce = document.querySelector('meta[name=csp-nonce]')?.getAttribute('content') ?? ''
    this.view = new EditorView({
      parent: host,
      state: EditorState.create({
        extensions: [
          EditorView.cspNonce.of(nonce),
          EditorView.contentAttributes.of({ 'aria-label': 'Question in CQL', 'aria-describedby': 'editor-note',
            spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
          EditorView.lineWrapping, history(), drawSelection(), closeBrackets(), bracketMatching(),
          placeholder('Set up the board, or write CQL: mate N attacks k'),
          colors, hover(program.check), completion(program.check, program.formsOf),
          keymap.of([
            { key: 'Alt-u', run: () => { program.otherSpelling(); return true } },
            { key: 'Mod-Enter', run: () => { program.run(); return true } },
            ...closeBracketsKeymap, ...completionKeymap, ...defaultKeymap, ...historyKeymap,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((t) => t.annotation(ours))) typed(this.text)
          }),
        ],
      }),
    })
  }

  get text() {
    return this.view.state.doc.toString()
  }

  get cursor() {
    return this.view.state.selection.main.head
  }

  focus() {
    this.view.focus()
  }

  /** Shows another text, as one step that can be undone. @param {string} text */
  show(text) {
    if (text === this.text) return
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text },
      selection: { anchor: text.length }, annotations: ours.of(true) })
  }

  /** Colors and underlines what the program said about this text. @param {string} text @param {Check} check */
  say(text, check) {
    if (text !== this.text) return
    color(this.view, check.tokens)
    const length = this.view.state.doc.length
    this.view.dispatch(setDiagnostics(this.view.state, check.diagnostics.map(({ from, to, message, help, code, severity, fixes }) => {
      const end = Math.min(to, length)
      return { from: Math.max(0, Math.min(from, end === from ? from - 1 : end)), to: end, severity,
        message: `${message}${help ? `\n${help}` : ''} (${code})`,
        actions: (fixes ?? []).map((fix) => ({ name: capitalized(fix.title), apply: () => this.#apply(text, fix) })) }
    })))
  }

  /** Makes the change of a fix, if the text is still the one that it is about. @param {string} text @param {Fix} fix */
  #apply(text, fix) {
    if (text !== this.text) return
    this.view.dispatch({ changes: fix.edits.map(({ from, to, text: insert }) => ({ from, to, insert })) })
  }
}
