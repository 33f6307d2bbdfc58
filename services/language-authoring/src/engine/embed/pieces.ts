/** Words cut into the pieces that the encoder knows, so that their scores add up to the most. */
export interface Piece {
  id: number
  start: number
  end: number
}

const space = '\u2581'
const reserved = 6

export class Pieces {
  readonly #known = new Map<string, { score: number; id: number }>()
  readonly #longest: number

  constructor(vocabulary: readonly [string, number | null][]) {
    let longest = 1
    vocabulary.forEach(([piece, score], id) => {
      if (id < reserved) return
      this.#known.set(piece, { score: score ?? 0, id })
      longest = Math.max(longest, piece.length)
    })
    this.#longest = longest
  }

  /** Places are those in the text, if folding its compatibility forms did not change its length, else undefined. */
  cut(text: string): Piece[] {
    const folded = text.normalize('NFKC')
    const marked = space + folded.replaceAll(/\s/g, space)
    const best = new Float64Array(marked.length + 1).fill(-Infinity)
    const cameFrom = new Int32Array(marked.length + 1)
    const ids = new Int32Array(marked.length + 1)
    best[0] = 0
    for (let i = 0; i < marked.length; i++) {
      const sofar = best[i] as number
      if (sofar === -Infinity) continue
      let any = false
      for (let j = i + 1; j <= Math.min(marked.length, i + this.#longest); j++) {
        const piece = this.#known.get(marked.slice(i, j))
        if (!piece) continue
        any = true
        if (sofar + piece.score >= (best[j] as number)) {
          best[j] = sofar + piece.score
          cameFrom[j] = i
          ids[j] = piece.id
        }
      }
      if (!any && sofar >= (best[i + 1] as number)) {
        best[i + 1] = sofar
        cameFrom[i + 1] = i
        ids[i + 1] = 0
      }
    }
    const pieces: Piece[] = []
    for (let end = marked.length; end > 0; end = cameFrom[end] as number) {
      const start = cameFrom[end] as number
      const last = pieces.at(-1)
      // What is not known is known as one piece, however long.
      if (last && last.id === 0 && ids[end] === 0) last.start = Math.max(0, start - 1)
      else pieces.push({ id: ids[end] as number, start: Math.max(0, start - 1), end: end - 1 })
    }
    return pieces.reverse()
  }
}
