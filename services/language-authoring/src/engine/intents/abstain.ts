/** A validation sentence: probabilities of the best intent and of None, and whether the best was correct. */
export interface HeldOut {
  readonly best: number
  readonly none: number
  readonly isRight: boolean
}

/** Share of sentences that may be lost to None, so that out-of-scope ones do not go to the nearest intent. */
const maxLoss = 0.005
/** Candidate margins in percent; the first is for apps with too few sentences to choose. */
const margins = Array.from({ length: 31 }, (_, i) => 10 + i)
const minSentences = 20

/** Mass for None: 0 if the best intent is certain, growing so that the two are equal where `best` is the margin. */
const massOf = (best: number, margin: number): number => (margin * (1 - best)) / (1 - margin)

export const bestBeside = (scores: Float32Array, none: number): number =>
  scores.reduce((best, score, c) => (c === none ? best : Math.max(best, score)), 0)

/** Moves uncertain probability mass to None, in place. */
export function abstain(scores: Float32Array, none: number, margin: number): void {
  const mass = massOf(bestBeside(scores, none), margin)
  scores[none] = (scores[none] as number) + mass
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] as number) / (1 + mass)
}

/** Chooses the widest margin within `maxLoss`. */
export function chooseMargin(sentences: readonly HeldOut[]): number {
  const correct = sentences.filter(({ best, none, isRight }) => isRight && best > none)
  const isCheap = (margin: number) =>
    correct.filter(({ best, none }) => best < none + massOf(best, margin)).length <= maxLoss * sentences.length
  const [narrowest = 0, ...wider] = margins.map((percent) => percent / 100)
  return correct.length < minSentences ? narrowest : (wider.findLast(isCheap) ?? narrowest)
}
