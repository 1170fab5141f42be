// Text to the clipboard, also where the page came without encryption and the browser's newer way is closed.

/** @param {string} text @returns {Promise<boolean>} whether it is there */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'unseen'
    const host = document.querySelector('dialog[open]') ?? document.body
    host.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
