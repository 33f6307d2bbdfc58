/** A held-out sentence of an intent: how probable the best intent, and None, were, and whether the best was right. */
export interface HeldOut {
  readonly best: number
  readonly none: number
  readonly isRight: boolean
}

/** The share of sentences of intents that may be lost to None, so that others do not go to the nearest intent. */
const maxLoss = 0.005
/** Margins that are tried, in percent; the first is for apps with too few sentences to tell. */
const margins = Array.from({ length: 31 }, (_, i) => 10 + i)
const minSentences = 20

/** How much None gets: all that the best intent lacks to certainty, and no more than a margin where it is no more likely than that. */
const massOf = (best: number, margin: number): number => (margin * (1 - best)) / (1 - margin)

export const bestBeside = (scores: Float32Array, none: number): number =>
  scores.reduce((best, score, c) => (c === none ? best : Math.max(best, score)), 0)

/** Moves what is uncertain to None, in place. */
export function abstain(scores: Float32Array, none: number, margin: number): void {
  const mass = massOf(bestBeside(scores, none), margin)
  scores[none] = (scores[none] as number) + mass
  for (let c = 0; c < scores.length; c++) scores[c] = (scores[c] as number) / (1 + mass)
}

/** The widest margin that hardly costs a sentence which was understood. */
export function chooseMargin(sentences: readonly HeldOut[]): number {
  const right = sentences.filter(({ best, none, isRight }) => isRight && best > none)
  const isCheap = (margin: number) =>
    right.filter(({ best, none }) => best < none + massOf(best, margin)).length <= maxLoss * sentences.length
  const [least = 0, ...wider] = margins.map((percent) => percent / 100)
  return right.length < minSentences ? least : (wider.findLast(isCheap) ?? least)
}
