// Requests to the program. Each answers with what the program sent, or throws a `Failure`.

import { lines } from './lines.js'

/** @typedef {import('./types.js').ErrorBody} ErrorBody */

const BASE = 'api/v1/'

/** What the program said went wrong; `code` is stable. */
export class Failure extends Error {
  /** @param {ErrorBody} body @param {number} status */
  constructor(body, status) {
    super(body.message)
    this.code = body.code
    this.diagnostics = body.diagnostics ?? []
    this.status = status
  }
}

/** Whether a request was given up by this page. @param {unknown} error */
export const isAbort = (error) => error instanceof DOMException && error.name === 'AbortError'

/** @typedef {Record<string, string|number|boolean|null|undefined>} Parameters */

/** The address of a resource. @param {string} path @param {Parameters} [parameters] */
export function address(path, parameters = {}) {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') search.set(name, String(value))
  }
  return BASE + path + (search.size ? `?${search}` : '')
}

/** @param {Response} response */
async function checked(response) {
  if (response.ok) return response
  /** @type {ErrorBody} */
  let body = { code: 'internal', message: `the server answered ${response.status}` }
  try {
    body = (await response.json()).error ?? body
  } catch { /* Not JSON: what the status says has to do. */ }
  throw new Failure(body, response.status)
}

/**
 * @param {string} path @param {Parameters} [parameters] @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, parameters, signal) {
  return (await checked(await fetch(address(path, parameters), { signal }))).json()
}

/** @param {string} method @param {string} path @param {Parameters} parameters @param {unknown} body @param {AbortSignal} [signal] */
function send(method, path, parameters, body, signal) {
  return fetch(address(path, parameters), {
    method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal,
  }).then(checked)
}

/**
 * @param {string} path @param {Parameters} parameters @param {unknown} body @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function post(path, parameters, body, signal) {
  return (await send('POST', path, parameters, body, signal)).json()
}

/** @param {string} path @param {Parameters} parameters @param {unknown} body @returns {Promise<any>} */
export async function put(path, parameters, body) {
  return (await send('PUT', path, parameters, body)).json()
}

/** @param {string} path @param {Parameters} parameters @param {unknown} body @returns {Promise<any>} */
export async function patch(path, parameters, body) {
  return (await send('PATCH', path, parameters, body)).json()
}

/**
 * The lines of an answer as they come, each a JSON object.
 * @param {string} path @param {Parameters} parameters @param {unknown} body @param {AbortSignal} signal
 * @returns {AsyncGenerator<any>}
 */
export async function* stream(path, parameters, body, signal) {
  const response = await send('POST', path, parameters, body, signal)
  if (!response.body) return
  for await (const line of lines(response.body)) yield JSON.parse(line)
}

/** @param {string} path @param {Parameters} [parameters] */
export async function remove(path, parameters) {
  await checked(await fetch(address(path, parameters), { method: 'DELETE' }))
}

/**
 * Sends a file as it is.
 * @param {string} path @param {Parameters} parameters @param {File} file @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function upload(path, parameters, file, signal) {
  const response = await fetch(address(path, parameters), {
    method: 'PUT', headers: { 'Content-Type': 'application/octet-stream' }, body: file, signal,
  })
  return (await checked(response)).json()
}
