// Small drawings for buttons, in the color of the text around them.

import { svg } from './dom.js'

/** @type {Record<string, string>} */
const PATHS = {
  hand: 'M8 12V5.500a1.500 1.500 0 0 1 3 0V11m0-1V4.500a1.500 1.500 0 0 1 3 0V11m0-.5V6a1.500 1.500 0 0 1 3 0v8.500c0 3.500-2 6-5.500 6-2.800 0-4.300-1.300-5.600-3.700L3.500 13a1.600 1.600 0 0 1 2.700-1.600L8 13.800',
  erase: 'M9 20h11M5.500 14.500 14 6a2 2 0 0 1 2.800 0l2.700 2.700a2 2 0 0 1 0 2.800L12 19.500H8.500l-3-3a1.400 1.400 0 0 1 0-2z',
  attack: 'M5 19 18 6M10.500 5.500H18.500V13.500',
  move: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0M12 12h.01',
  capture: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M9.500 9.500l5 5M14.500 9.500l-5 5',
  turn: 'M17 3l4 4-4 4M21 7H8a5 5 0 0 0-5 5M7 21l-4-4 4-4M3 17h13a5 5 0 0 0 5-5',
  clear: 'M5 7h14M10 7V4.500h4V7M7 7l1 13h8l1-13M10.500 11v5.500M13.500 11v5.500',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8M12 2.500V5M12 19v2.500M2.500 12H5M19 12h2.500M5.300 5.300 7 7M17 17l1.700 1.700M18.700 5.300 17 7M7 17l-1.700 1.700',
  moon: 'M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z',
  history: 'M3.500 12a8.500 8.500 0 1 0 2.700-6.200L3.500 8.500M3.500 3.500v5h5M12 7.500V12l3 2',
  gallery: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  themes: 'M4 6h4v4H4zM4 14h4v4H4zM11 8h9M11 16h9',
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  link: 'M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  first: 'M7 5v14M18 5l-8 7 8 7',
  back: 'M15 5l-7 7 7 7',
  forth: 'M9 5l7 7-7 7',
  last: 'M17 5v14M6 5l8 7-8 7',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  keep: 'M6 4h12v16l-6-4.500L6 20z',
  help: 'M9.200 9a3 3 0 1 1 4 3.200c-.8.4-1.200 1-1.200 2V15M12 18.500h.01',
  out: 'M13 5h6v6M19 5l-9 9M16 13v6H5V8h6',
  down: 'M12 5v14M6 13l6 6 6-6',
}

/** @param {string} name */
export function icon(name) {
  return svg('svg', { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name] }))
}
