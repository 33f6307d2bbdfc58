import { answerOf, frameOf } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'
import type { Engine } from '../sandboxed/engine.ts'
import type { Shelf } from './shelf.ts'
import { contentOf, type Sample } from './uploads.ts'

export interface Asking {
  readonly shelf: Shelf
  readonly engine: Engine
  readonly party: string
  readonly signal: AbortSignal
}

const keyOf = ({ prefix }: Shelf, { sha256 }: Sample) => `${prefix}analyses/${sha256}`

/** What is in a sample: found once, and kept for as long as the sample is, for the other questions about it. */
export async function analysisOf(sample: Sample, { shelf, engine, party, signal }: Asking): Promise<Analysis> {
  const { blobs } = shelf
  const key = keyOf(shelf, sample)
  if (await blobs.head(key)) {
    const answer = answerOf(await contentOf(blobs, key))
    if (answer && 'report' in answer) return answer
  }
  const analysis = await engine.analyze(party, await contentOf(blobs, sample.key), signal)
  await blobs.put(key, frameOf(analysis))
  return analysis
}
