import { Failure } from '@icosa/kernel'
import type { Ended } from '@icosa/sandbox'
import { answerOf } from '../engine/frame.ts'
import type { Analysis } from '../engine/report.ts'

/** How a process of the engine ended, and what it wrote. */
interface Run {
  readonly ended: Ended
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
}

const maxRuns = 2

const overLimits: Readonly<Partial<Record<Ended, string>>> = {
  memory: 'The sample used up the memory that its emulation may have.',
  output: 'What came out of the sample is larger than an answer may be.',
  time: 'The time that the emulation of a sample may take is over.',
}

/**
 * The engine's answer. A whole one counts, however the process ended afterwards; one that died without an answer is run once
 * more, since native code may fail on a busy machine, and not only on a sample that makes it fail.
 */
export async function answered(run: () => Promise<Run>, onError: (error: unknown) => void): Promise<Analysis> {
  for (let count = 1; count <= maxRuns; count++) {
    const { ended, code, stdout, stderr } = await run()
    const limit = overLimits[ended]
    if (limit) throw new Failure('invalid', `${limit} Nothing can be said about it, not even that it is harmless.`)
    const answer = answerOf(stdout)
    if (!answer) {
      onError(new Error(`The engine ended with ${code}: ${stderr.toString('utf8').slice(-2_000)}`))
      if (ended === 'stopped') break
    } else if ('malformed' in answer) throw new Failure('invalid', answer.malformed)
    else if ('overLimit' in answer) throw new Failure('invalid', answer.overLimit)
    else return answer
  }
  throw new Failure('invalid', 'The emulator ended on this sample twice before it could say anything about it.')
}
