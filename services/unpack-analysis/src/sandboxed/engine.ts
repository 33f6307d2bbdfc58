import { availableParallelism } from 'node:os'
import { Failure, type FairSemaphore, fairSemaphore } from '@icosa/kernel'
import { lazySandbox } from '@icosa/sandbox/lazy'
import { demandProgram } from '../engine/magic.ts'
import type { Analysis } from '../engine/report.ts'
import type { UnpackSettings } from '../settings.ts'
import { answered } from './answer.ts'
import { engineProgram } from './program.ts'

export interface AnalyzeCall {
  readonly signal?: AbortSignal
  /** Called when the sample's turn has come. */
  readonly onStart?: () => void
}

type EngineSettings = Pick<UnpackSettings, 'runtime' | 'emulateMs' | 'atOnce' | 'state'>

export interface Engine {
  /** Refuses what cannot be analyzed, and says so where a limit was reached. */
  analyze(fairnessKey: string, sample: Uint8Array, options?: AnalyzeCall): Promise<Analysis>
  readonly load: FairSemaphore['load']
  close(): Promise<void>
}

const waiting = { maxWaiting: 200, waitMs: 120_000 }

/** What is no program needs no sandbox. */
function refuseOthers(sample: Uint8Array): void {
  try {
    demandProgram(sample)
  } catch (error) {
    throw new Failure('invalid', (error as Error).message)
  }
}

/** Emulates samples, each in a sandbox and a process of its own that is gone afterwards. */
export function openEngine(settings: EngineSettings, onError: (error: unknown) => void): Engine {
  const gate = fairSemaphore(Math.max(2, settings.atOnce ?? availableParallelism() - 1), waiting) // one caller never has all
  const sandbox = lazySandbox({ runtime: settings.runtime, state: settings.state, onError })
  return {
    async analyze(fairnessKey, sample, { signal, onStart } = {}) {
      refuseOthers(sample)
      return gate.run(fairnessKey, async () => {
        signal?.throwIfAborted()
        onStart?.()
        const program = engineProgram(sample, { emulateMs: settings.emulateMs })
        const box = await sandbox.open()
        return answered(() => box.run(program, signal ? { signal } : {}), onError)
      })
    },
    load: () => gate.load(),
    close: sandbox.close,
  }
}
