import { availableParallelism } from 'node:os'
import { openPool, WorkerLost } from '@icosa/compute'
import { Failure, type Metrics } from '@icosa/kernel'
import type { Analysis, Question } from './analysis.ts'
import type { Answer } from './process.ts'

/** Analyses photos in a pool of processes. */
export interface FaceEngine {
  /** Throws `InvalidImage` for a photo that cannot be read, or that exceeds the time or memory limit. */
  analyse(tenant: string, question: Question, signal?: AbortSignal): Promise<Analysis>
  warm(): Promise<void>
  close(): Promise<void>
}

export interface EngineOptions {
  /** Folder of the converted networks. */
  readonly models: string
  /** Concurrency. By default one more than there are cores, as one tenant never gets all workers. */
  readonly workers?: number | undefined
  readonly metrics?: Metrics
}

/**
 * Uses processes, since native code parses untrusted photos: a crash does not affect the node. The first photo starts the
 * first process, which takes less than a second.
 */
export function openEngine({ models, workers = availableParallelism() + 1, metrics }: EngineOptions): FaceEngine {
  const pool = openPool<Question, Answer>({
    name: 'looking at photos',
    module: new URL('./process.ts', import.meta.url),
    argument: models,
    as: 'processes',
    size: workers,
    memoryMb: 640,
    deadlineMs: 20_000,
    ...(metrics && { metrics }),
  })
  return {
    async analyse(tenant, question, signal) {
      try {
        const answer = await pool.run(tenant, question, { signal })
        if ('analysis' in answer) return answer.analysis
        return invalidImage(answer.unreadable)
      } catch (error) {
        if (error instanceof WorkerLost && error.why !== 'closed')
          invalidImage(`The image could not be processed. ${error.message}`)
        throw error
      }
    },
    warm: () => pool.warm(),
    close: () => pool.close(),
  }
}

export function invalidImage(message: string): never {
  throw new Failure('invalid', message, { code: 'InvalidImage' })
}
