// What can stand at a place, from the program.

import { autocompletion } from '@codemirror/autocomplete'
import { documentation, prose } from './help.js'
import { h } from '../ui/dom.js'

/** @typedef {import('../api/types.js').Check} Check */
/** @typedef {import('../api/types.js').Form} Form */

/**
 * @param {(text: string, at: number) => Promise<Check|null>} check
 * @param {(word: string) => Promise<readonly Form[]>} formsOf
 */
export function completion(check, formsOf) {
  return autocompletion({
    icons: false,
    activateOnTypingDelay: 60,
    override: [async (context) => {
      const word = context.matchBefore(/[A-Za-z_$][\w$]*/)
      // What is behind a quotation mark may be a name, such as that of a player.
      const quoted = context.matchBefore(/"[^"]+/)
      if (!context.explicit && !quoted && (!word || word.to - word.from < 2)) return null
      const found = (await check(context.state.doc.toString(), context.pos))?.completions
      if (!found || context.aborted) return null
      return {
        from: found.from,
        to: found.to,
        // The program chooses among all names of the games, and asks again with each letter; words are all here.
        ...(found.items.some(({ kind }) => kind === 'value') ? { filter: false } : { validFor: /^[\w$]*$/ }),
        options: found.items.map(({ label, kind, detail }, index) => ({
          label,
          type: kind,
          apply: label,
          // The program's order: what belongs here comes first.
          boost: Math.max(-99, 99 - index),
          detail: kind === 'word' ? undefined : detail,
          info: kind === 'word' ? async () => {
            const forms = await formsOf(label)
            return forms.length ? documentation(forms) : h('div', { class: 'help' }, ...prose(detail))
          } : undefined,
        })),
      }
    }],
  })
}
