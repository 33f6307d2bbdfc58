import { buffer } from 'node:stream/consumers'
import { openPool } from '@icosa/compute'
import type { Platform } from '@icosa/kernel'
import type { Prediction, Query } from '../engine/results.ts'
import { serviceName } from '../names.ts'
import { type LanguageSettings, predictorsOf } from '../settings.ts'
import type { Answer, Question } from './thread.ts'

export interface Predictor {
  /** Throws `notFound` if the model was deleted. */
  predictAll(
    tenant: string,
    model: string,
    queries: readonly Query[],
    signal?: AbortSignal,
  ): Promise<readonly Prediction[]>
  close(): Promise<void>
}

const deadlineMs = 30_000

/**
 * Each model has affinity to a thread, so that a node loads it once. If that thread is busy, another one loads it, too, and
 * answers.
 */
export function openPredictor(
  settings: LanguageSettings,
  { metrics, blobsOf }: Pick<Platform, 'metrics' | 'blobsOf'>,
): Predictor {
  const size = predictorsOf(settings)
  const threads = openPool<Question, Answer>({
    name: 'language prediction',
    module: new URL('./thread.ts', import.meta.url),
    argument: String(Math.floor((settings.modelsMb * 1024 ** 2) / size)),
    memoryMb: Math.ceil((settings.modelsMb * 2) / size) + 512,
    size,
    deadlineMs,
    metrics,
  })

  return {
    async predictAll(tenant, model, queries, signal) {
      if (queries.length === 0) return []
      // The first query starts all threads, so that the one left for another tenant is warm.
      if (threads.load().warm === 0) threads.warm().catch(() => {})
      // An aborted caller stops waiting; the thread, which has models of others, continues.
      const ask = (question: Question, transfer: readonly ArrayBuffer[] = []) =>
        threads.hold(tenant, (askThread) => askThread(question, { signal: undefined, transfer }), {
          signal,
          affinity: numberOf(model),
        })
      const predictions = await ask({ model, queries })
      if (predictions) return predictions
      const bytes = new Uint8Array(await buffer((await blobsOf(serviceName, tenant).get(model)).body))
      return (await ask({ model, queries, bytes }, [bytes.buffer])) as readonly Prediction[]
    },
    close: () => threads.close(),
  }
}

/** The name ends in a hash. */
const numberOf = (model: string) => Number.parseInt(model.slice(-8), 16)
