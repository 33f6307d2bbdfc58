import { Failure } from '@icosa/kernel'
import { answerOf, frameOf } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'
import type { Sender } from './sender.ts'
import { contentOf, type Sample } from './uploads.ts'

/** What is in a sample: found once, and kept for as long as the sample is, for the other questions about it. */
export async function analysisOf(sample: Sample, sender: Sender): Promise<Analysis> {
  const { blobs, prefix } = sender.shelf
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
    // Without budget for the analysis, the next question about the sample is another emulation.
    if (!(error instanceof Failure && error.retryAfterSeconds !== undefined)) throw error
  }
  return analysis
}
