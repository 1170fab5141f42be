// Which themes a text finds.

/** @typedef {{name: string, group: string, title: string, about: string, tags: string[], source: string, link: string|null, query: string}} Theme */

/** The themes in whose words each word of a text begins a word, in their order. @param {Theme[]} themes @param {string} text */
export function found(themes, text) {
  const wanted = words(text)
  return themes.filter((theme) => {
    const known = words([theme.name, theme.group, theme.title, theme.about, ...theme.tags].join(' '))
    return wanted.every((word) => known.some((other) => other.startsWith(word)))
  })
}

/** @param {string} text */
const words = (text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean)
