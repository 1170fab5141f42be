// Elements without templates: `h('button', { type: 'button', onclick: f }, 'Add')`.

/** @typedef {Node|string|number|null|undefined|false} Child */

/**
 * An element with attributes and children. Attributes that are `false`, null or undefined are left out; those that
 * begin with `on` are listeners.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [attributes] @param {...(Child|Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  dress(element, attributes)
  append(element, children)
  return element
}

/**
 * The same for SVG.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...(Child|Child[])} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  dress(element, attributes)
  append(element, children)
  return element
}

/** @param {Element} element @param {Record<string, any>} attributes */
function dress(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/** @param {Element} element @param {(Child|Child[])[]} children */
function append(element, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue
    element.append(child instanceof Node ? child : String(child))
  }
}

/** An element of the page that has to be there. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error(`the page has no #${id}`)
  return element
}

/** Replaces what is in an element. @param {Element} element @param {...(Child|Child[])} children */
export function fill(element, ...children) {
  element.replaceChildren()
  append(element, children)
}
