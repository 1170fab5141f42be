// Text to the clipboard, also where the page came without encryption and the browser's newer way is closed.

/**
 * @param {string|Promise<string>} text  one that is still on its way is given to the clipboard as that: some browsers copy
 *   only while the press of a button lasts
 * @returns {Promise<boolean>} whether it is there
 */
export async function copy(text) {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text)
    else {
      const blob = text.then((words) => new Blob([words], { type: 'text/plain' }))
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
    }
    return true
  } catch {
    const words = await Promise.resolve(text).catch(() => null)
    if (words === null) return false
    const area = document.createElement('textarea')
    area.value = words
    area.className = 'unseen'
    const host = document.querySelector('dialog[open]') ?? document.body
    host.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}
