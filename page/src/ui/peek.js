// On a small screen the answer is far below the board: a bar at the foot says how it stands, and leads there.

import { byId, h } from './dom.js'
import { icon } from './icons.js'

/** @returns {(words: string) => void} says how the answer stands; '' hides the bar */
export function peek() {
  const words = h('span', {})
  let inSight = false
  const bar = h('button', { type: 'button', class: 'peek main', hidden: true,
    onclick: () => byId('answer').scrollIntoView({ behavior: 'smooth' }) }, words, icon('down'))
  document.body.append(bar)
  const show = () => { bar.hidden = inSight || !words.textContent }
  // All that is above the window counts as in sight: a jump from above the answer to below it is seen, too.
  new IntersectionObserver(([entry]) => {
    inSight = entry.isIntersecting
    show()
  }, { rootMargin: '10000000px 0px 0px 0px' }).observe(byId('status'))
  return (text) => { words.textContent = text; show() }
}
