import { buffer } from 'node:stream/consumers'
import { openPool } from '@icosa/compute'
import type { Platform } from '@icosa/kernel'
import type { Prediction, Query } from '../engine/results.ts'
import { serviceName } from '../names.ts'
import { type LanguageSettings, predictorsOf } from '../settings.ts'
import type { Answer, Question } from './thread.ts'

export interface Predictor {
  /** What a tenant's model makes of questions. `notFound` if the model is gone. */
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
 * Each model has a thread that it lives in, so a node holds it once. If that thread has others to answer already, an idle
 * one helps, and then holds the model, too.
 */
export function openPredictor(
  settings: LanguageSettings,
  { metrics, blobsOf }: Pick<Platform, 'metrics' | 'blobsOf'>,
): Predictor {
  const size = predictorsOf(settings)
  const threads = Array.from({ length: size }, (_, index) =>
    openPool<Question, Answer>({
      name: `language prediction ${index + 1}`,
      module: new URL('./thread.ts', import.meta.url),
      argument: String(Math.floor((settings.modelsMb * 1024 ** 2) / size)),
      memoryMb: Math.ceil((settings.modelsMb * 2) / size) + 512,
      deadlineMs,
      metrics,
    }),
  )

  const threadOf = (model: string) => {
    const home = threads[numberOf(model) % size] as (typeof threads)[number]
    if (home.load().running === 0) return home
    return threads.find((thread) => thread.load().running === 0 && thread.load().warm > 0) ?? home
  }

  return {
    async predictAll(tenant, model, queries, signal) {
      if (queries.length === 0) return []
      const thread = threadOf(model)
      // Whoever hangs up no longer waits for the thread; the thread, with the models of others in it, goes on.
      const ask = (question: Question, transfer: readonly ArrayBuffer[] = []) =>
        thread.hold(tenant, (askThread) => askThread(question, { signal: undefined, transfer }), signal)
      const known = await ask({ model, queries })
      if (known) return known
      const bytes = new Uint8Array(await buffer((await blobsOf(serviceName, tenant).get(model)).body))
      return (await ask({ model, queries, bytes }, [bytes.buffer])) as readonly Prediction[]
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

/** Of a name that ends in a hash. */
const numberOf = (model: string) => Number.parseInt(model.slice(-8), 16)
