/** A slot of a bracket: an alliance by its number, or the winner or loser of an earlier match. */
export type Slot = { readonly seed: number } | { readonly winnerOf: number } | { readonly loserOf: number }

export interface BracketMatch {
  readonly number: number
  readonly round: number
  readonly red: Slot
  readonly blue: Slot
}

const seed = (number: number): Slot => ({ seed: number })
const winnerOf = (number: number): Slot => ({ winnerOf: number })
const loserOf = (number: number): Slot => ({ loserOf: number })
const match = (number: number, round: number, red: Slot, blue: Slot): BracketMatch => ({ number, round, red, blue })

/** The double elimination of eight alliances, before its final. */
export const eightAlliances: readonly BracketMatch[] = [
  match(1, 1, seed(1), seed(8)),
  match(2, 1, seed(4), seed(5)),
  match(3, 1, seed(2), seed(7)),
  match(4, 1, seed(3), seed(6)),
  match(5, 2, loserOf(1), loserOf(2)),
  match(6, 2, loserOf(3), loserOf(4)),
  match(7, 2, winnerOf(1), winnerOf(2)),
  match(8, 2, winnerOf(3), winnerOf(4)),
  match(9, 3, loserOf(7), winnerOf(6)),
  match(10, 3, loserOf(8), winnerOf(5)),
  match(11, 4, winnerOf(7), winnerOf(8)),
  match(12, 4, winnerOf(10), winnerOf(9)),
  match(13, 5, loserOf(11), winnerOf(12)),
]

export const finalists: Pick<BracketMatch, 'red' | 'blue'> = { red: winnerOf(11), blue: winnerOf(13) }
