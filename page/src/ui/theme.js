// Dark or light: as the system has it, until someone chooses.

const KEY = 'cqldex-theme'

/** @returns {'dark'|'light'} */
export function current() {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'dark' || chosen === 'light') return chosen
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

/** Takes the choice from before. @param {() => void} changed */
export function start(changed) {
  try {
    const kept = localStorage.getItem(KEY)
    if (kept === 'dark' || kept === 'light') document.documentElement.dataset.theme = kept
  } catch { /* Nothing is kept: as the system has it. */ }
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed)
}

export function toggle() {
  const next = current() === 'dark' ? 'light' : 'dark'
  document.documentElement.dataset.theme = next
  try {
    localStorage.setItem(KEY, next)
  } catch { /* It holds for this page only. */ }
}
