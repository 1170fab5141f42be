// Addresses of sites that analyse a position. They are plain links: nothing is sent unless someone follows one.

/** @param {string} fen @returns {{name: string, href: string}[]} */
export function analysisSites(fen) {
  return [
    { name: 'lichess', href: `https://lichess.org/analysis/standard/${fen.trim().replaceAll(' ', '_')}` },
    { name: 'chess.com', href: `https://www.chess.com/analysis?fen=${encodeURIComponent(fen.trim())}` },
  ]
}
