import { openPool, WorkerLost } from '@icosa/compute'
import { Failure, type Metrics } from '@icosa/kernel'
import type { AppDocument } from '../engine/document.ts'
import { type LanguageSettings, trainersOf } from '../settings.ts'

export interface Trainer {
  /** Returns the serialized model. Throws `invalid` if the version is too large. */
  train(tenant: string, app: AppDocument, signal: AbortSignal): Promise<Uint8Array>
  close(): Promise<void>
}

const deadlineMs = 60 * 60_000

export function openTrainer(settings: LanguageSettings, metrics: Metrics): Trainer {
  const pool = openPool<AppDocument, Uint8Array>({
    name: 'language training',
    module: new URL('./thread.ts', import.meta.url),
    size: trainersOf(settings),
    memoryMb: 2_048,
    deadlineMs,
    waitMs: deadlineMs,
    metrics,
  })
  return {
    async train(tenant, app, signal) {
      try {
        return await pool.run(tenant, app, { signal })
      } catch (error) {
        if (error instanceof WorkerLost && (error.why === 'memory' || error.why === 'deadline'))
          throw new Failure('invalid', `The version is too large to train. ${error.message}`)
        throw error
      }
    },
    close: () => pool.close(),
  }
}
