import { Failure } from '@icosa/kernel'
import { answerOf, frameOf } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'
import type { Sender } from './sender.ts'
import { contentOf, type Sample } from './uploads.ts'

/** Returns the analysis of a sample, cached as long as the sample is stored. */
export async function analysisOf(sample: Sample, sender: Sender): Promise<Analysis> {
  const { blobs, prefix } = sender.storage
  const key = `${prefix}analyses/${sample.sha256}`
  if (await blobs.head(key)) {
    const answer = answerOf(await contentOf(blobs, key))
    if (answer && 'report' in answer) return answer
  }
  const { tenant, runtime, signal } = sender
  const content = await contentOf(blobs, sample.key)
  const analysis = await runtime.budgets.forCpu(tenant, runtime.maxCpuMs.emulation, (onStart) =>
    runtime.engine.analyze(tenant, content, { signal, onStart }),
  )
  const frame = frameOf(analysis)
  try {
    await runtime.budgets.forBytes(tenant, frame.length, () => blobs.put(key, frame))
  } catch (error) {
    // Without budget the analysis is not cached, and the next request emulates again.
    if (!(error instanceof Failure && error.retryAfterSeconds !== undefined)) throw error
  }
  return analysis
}
