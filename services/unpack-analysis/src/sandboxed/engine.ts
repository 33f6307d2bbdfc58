import { availableParallelism } from 'node:os'
import { Failure, type FairSemaphore, fairSemaphore } from '@icosa/kernel'
import { lazySandbox } from '@icosa/sandbox/lazy'
import { demandProgram } from '../engine/magic.ts'
import type { Analysis } from '../engine/report.ts'
import type { UnpackSettings } from '../settings.ts'
import { runEngine } from './answer.ts'
import { engineProgram } from './program.ts'

export interface AnalyzeCall {
  readonly signal?: AbortSignal
  /** Called when the sample leaves the queue. */
  readonly onStart?: () => void
}

type EngineSettings = Pick<UnpackSettings, 'runtime' | 'emulateMs' | 'concurrency' | 'state'>

export interface Engine {
  /** Refuses samples that cannot be analyzed, and reports limits. */
  analyze(fairnessKey: string, sample: Uint8Array, options?: AnalyzeCall): Promise<Analysis>
  readonly load: FairSemaphore['load']
  close(): Promise<void>
}

const waiting = { maxWaiting: 200, waitMs: 120_000 }

/** Refuses other files before a sandbox is started. */
function demandSample(sample: Uint8Array): void {
  try {
    demandProgram(sample)
  } catch (error) {
    throw new Failure('invalid', (error as Error).message)
  }
}

/** Emulates samples, each in its own process and sandbox. */
export function openEngine(settings: EngineSettings, onError: (error: unknown) => void): Engine {
  const semaphore = fairSemaphore(Math.max(2, settings.concurrency ?? availableParallelism() - 1), waiting) // at least two: one caller never gets all
  const sandbox = lazySandbox({ runtime: settings.runtime, state: settings.state, onError })
  return {
    async analyze(fairnessKey, sample, { signal, onStart } = {}) {
      demandSample(sample)
      return semaphore.run(fairnessKey, async () => {
        signal?.throwIfAborted()
        onStart?.()
        const program = engineProgram(sample, { emulateMs: settings.emulateMs })
        const box = await sandbox.open()
        return runEngine(() => box.run(program, signal ? { signal } : {}), onError)
      })
    },
    load: () => semaphore.load(),
    close: sandbox.close,
  }
}
