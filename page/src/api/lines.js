// Bytes as they arrive to whole lines.

/**
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<string>} the lines without their ends, empty ones left out
 */
export async function* lines(body) {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true })
      const parts = rest.split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) if (line.trim()) yield line
      if (done) break
    }
    if (rest.trim()) yield rest
  } finally {
    reader.cancel().catch(() => {})
  }
}
