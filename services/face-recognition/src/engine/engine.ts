import { availableParallelism } from 'node:os'
import { openPool, WorkerLost } from '@icosa/compute'
import { Failure, type Metrics } from '@icosa/kernel'
import type { Analysis, Question } from './analysis.ts'
import type { Answer } from './process.ts'

/** Looks at photos beside the node's own work. */
export interface FaceEngine {
  /** Throws `InvalidImage` for a photo that cannot be read, or that takes more time or memory than one may. */
  analyse(tenant: string, question: Question, signal?: AbortSignal): Promise<Analysis>
  warm(): Promise<void>
  close(): Promise<void>
}

export interface EngineOptions {
  /** Where the networks are kept, once they were converted. */
  readonly models: string
  /** How many photos at once. One more than the machine has cores: one tenant never has all of them. */
  readonly workers?: number | undefined
  readonly metrics?: Metrics
}

/**
 * Processes, since photos of strangers are read by native code: whatever one does to its process, the node goes on. The
 * first is started by the first photo, and ready within a second.
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
          invalidImage(`The image was given up. ${error.message}`)
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
