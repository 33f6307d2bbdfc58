import { availableParallelism } from 'node:os'
import { Failure, type FairGate, fairGate } from '@icosa/kernel'
import { type Ended, openSandbox, type Sandbox } from '@icosa/sandbox'
import { answerOf } from '../engine/frame.ts'
import { demandProgram } from '../engine/magic.ts'
import type { Analysis } from '../engine/report.ts'
import type { UnpackSettings } from '../settings.ts'
import { engineProgram } from './program.ts'

export interface AnalyzeCall {
  readonly signal?: AbortSignal
  /** Called when the sample's turn has come. */
  readonly onStart?: () => void
}

type EngineSettings = Pick<UnpackSettings, 'runtime' | 'emulateMs' | 'atOnce' | 'state'>

export interface Engine {
  /** Refuses what cannot be analyzed, and says so where a limit was reached. */
  analyze(party: string, sample: Uint8Array, options?: AnalyzeCall): Promise<Analysis>
  readonly load: FairGate['load']
  close(): Promise<void>
}

const waiting = { maxWaiting: 200, waitMs: 120_000 }

const overLimits: Readonly<Partial<Record<Ended, string>>> = {
  memory: 'The sample used up the memory that its emulation may have.',
  output: 'What came out of the sample is larger than an answer may be.',
  time: 'The time that the emulation of a sample may take is over.',
}

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
  const gate = fairGate(Math.max(2, settings.atOnce ?? availableParallelism() - 1), waiting) // one caller never has all
  let opened: Promise<Sandbox> | undefined
  const sandbox = () => {
    opened ??= openSandbox({ runtime: settings.runtime, state: settings.state, onError })
    opened.catch(() => {
      opened = undefined
    })
    return opened
  }
  return {
    async analyze(party, sample, { signal, onStart } = {}) {
      refuseOthers(sample)
      return gate.run(party, async () => {
        signal?.throwIfAborted()
        onStart?.()
        const program = engineProgram(sample, { emulateMs: settings.emulateMs })
        const { ended, code, stdout, stderr } = await (await sandbox()).run(program, signal ? { signal } : {})
        const limit = overLimits[ended]
        if (limit) throw new Failure('invalid', `${limit} Nothing can be said about it, not even that it is harmless.`)
        const answer = code === 0 ? answerOf(stdout) : undefined
        if (!answer) {
          onError(new Error(`The engine ended with ${code}: ${stderr.toString('utf8').slice(-2_000)}`))
          throw new Failure('invalid', 'The emulator ended on this sample before it could say anything about it.')
        }
        if ('malformed' in answer) throw new Failure('invalid', answer.malformed)
        if ('overLimit' in answer) throw new Failure('invalid', answer.overLimit)
        return answer
      })
    },
    load: () => gate.load(),
    async close() {
      await opened?.then((one) => one.close())
    },
  }
}
