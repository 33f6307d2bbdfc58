import type { Blobs } from '@icosa/kernel'
import { answerOf, frameOf } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'
import type { Engine } from '../sandboxed/engine.ts'
import { contentOf, type Sample } from './uploads.ts'

export interface Asking {
  readonly blobs: Blobs
  readonly engine: Engine
  readonly party: string
  readonly signal: AbortSignal
}

const keyOf = ({ sha256 }: Sample) => `analyses/${sha256}`

/** What is in a sample: found once, and kept for as long as the sample is, for the other questions about it. */
export async function analysisOf(sample: Sample, { blobs, engine, party, signal }: Asking): Promise<Analysis> {
  const kept = await blobs.head(keyOf(sample))
  if (kept) {
    const answer = answerOf(await contentOf(blobs, keyOf(sample)))
    if (answer && 'report' in answer) return answer
  }
  const analysis = await engine.analyze(party, await contentOf(blobs, sample.key), signal)
  await blobs.put(keyOf(sample), frameOf(analysis))
  return analysis
}
