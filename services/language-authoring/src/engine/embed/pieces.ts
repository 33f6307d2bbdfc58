/** A subword of the encoder's vocabulary. */
export interface Piece {
  id: number
  start: number
  end: number
}

const space = '\u2581'
const reserved = 6

export class Pieces {
  readonly #vocabulary = new Map<string, { score: number; id: number }>()
  readonly #maxLength: number

  constructor(vocabulary: readonly [string, number | null][]) {
    let maxLength = 1
    vocabulary.forEach(([piece, score], id) => {
      if (id < reserved) return
      this.#vocabulary.set(piece, { score: score ?? 0, id })
      maxLength = Math.max(maxLength, piece.length)
    })
    this.#maxLength = maxLength
  }

  /** Segments by the unigram model. Offsets are only valid if NFKC did not change the length of the text. */
  cut(text: string): Piece[] {
    const folded = text.normalize('NFKC')
    const marked = space + folded.replaceAll(/\s/g, space)
    const best = new Float64Array(marked.length + 1).fill(-Infinity)
    const previous = new Int32Array(marked.length + 1)
    const ids = new Int32Array(marked.length + 1)
    best[0] = 0
    for (let i = 0; i < marked.length; i++) {
      const score = best[i] as number
      if (score === -Infinity) continue
      let hasPiece = false
      for (let j = i + 1; j <= Math.min(marked.length, i + this.#maxLength); j++) {
        const piece = this.#vocabulary.get(marked.slice(i, j))
        if (!piece) continue
        hasPiece = true
        if (score + piece.score >= (best[j] as number)) {
          best[j] = score + piece.score
          previous[j] = i
          ids[j] = piece.id
        }
      }
      if (!hasPiece && score >= (best[i + 1] as number)) {
        best[i + 1] = score
        previous[i + 1] = i
        ids[i + 1] = 0
      }
    }
    const pieces: Piece[] = []
    for (let end = marked.length; end > 0; end = previous[end] as number) {
      const start = previous[end] as number
      const last = pieces.at(-1)
      // Unknown characters in a row are one piece.
      if (last && last.id === 0 && ids[end] === 0) last.start = Math.max(0, start - 1)
      else pieces.push({ id: ids[end] as number, start: Math.max(0, start - 1), end: end - 1 })
    }
    return pieces.reverse()
  }
}
