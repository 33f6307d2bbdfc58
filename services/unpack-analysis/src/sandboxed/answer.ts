import { Failure } from '@icosa/kernel'
import type { Ended } from '@icosa/sandbox'
import { answerOf } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'

/** End and output of an engine process. */
interface Run {
  readonly ended: Ended
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
}

const maxRuns = 2

const overLimits: Readonly<Partial<Record<Ended, string>>> = {
  memory: 'The emulation of the sample exceeded its memory limit.',
  output: 'The output of the sample exceeds the maximum size.',
  time: 'The emulation of the sample exceeded its time limit.',
}

/**
 * Runs the engine. A complete answer counts, however the process ended afterwards; a crash is retried once, since native code
 * may also fail on a busy machine.
 */
export async function runEngine(run: () => Promise<Run>, onError: (error: unknown) => void): Promise<Analysis> {
  for (let count = 1; count <= maxRuns; count++) {
    const { ended, code, stdout, stderr } = await run()
    const limit = overLimits[ended]
    if (limit) throw new Failure('invalid', `${limit} Nothing is known about it; it may be harmful.`)
    const answer = answerOf(stdout)
    if (!answer) {
      onError(new Error(`The engine ended with ${code}: ${stderr.toString('utf8').slice(-2_000)}`))
      if (ended === 'stopped') break
    } else if ('malformed' in answer) throw new Failure('invalid', answer.malformed)
    else if ('overLimit' in answer) throw new Failure('invalid', answer.overLimit)
    else return answer
  }
  throw new Failure('invalid', 'The emulator crashed twice on this sample without a result.')
}
