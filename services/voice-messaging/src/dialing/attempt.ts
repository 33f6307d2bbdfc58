import { Failure, isOutage, type JobContext } from '@icosa/kernel'
import type { Call, CallState } from '../calls/call.ts'
import type { EventType } from '../event-destinations/contract.ts'
import type { Attempt, CallEnd, Line } from '../lines/line.ts'
import type { Audio } from '../speech/audio.ts'
import type { Synthesize } from '../speech/synthesize.ts'
import { lastStep } from './outcome.ts'
import type { Step } from './record.ts'

export interface AttemptDependencies {
  readonly line: Line
  readonly synthesize: Synthesize
  readonly retrySeconds: readonly number[]
  readonly context: JobContext
  readonly signal: AbortSignal
  /** Resolves once the step is committed. */
  readonly report: (step: Step) => Promise<void>
}

/** Makes one attempt to deliver a message. Rejects only if the worker has lost its claim, or cannot write. */
export async function attemptCall(call: Call, dependencies: AttemptDependencies): Promise<void> {
  const { context, report } = dependencies
  const attempt = call.attempts + 1
  let number = call.events
  const reportState = (state: CallState, type: EventType) => {
    const event = { type, at: context.clock.now(), attempt, isFinal: false }
    return report({ call, number: ++number, event, state })
  }
  /** Ignores errors: steps are written in order, so the last one fails, too. */
  const reportLater = (state: CallState, type: EventType) => void reportState(state, type).catch(() => {})

  const end = await attemptOf(call, dependencies, {
    onInitiated: () => reportState('initiated', 'INITIATED_CALL'),
    onRinging: () => reportLater('ringing', 'RINGING'),
    onAnswered: () => reportLater('answered', 'ANSWERED'),
  })
  await report(lastStep(call, { attempt, number: ++number }, end, context.clock.now(), dependencies))
}

type Listeners = Pick<Attempt, 'onInitiated' | 'onRinging' | 'onAnswered'>

async function attemptOf(call: Call, dependencies: AttemptDependencies, listeners: Listeners): Promise<CallEnd> {
  const { line, synthesize, signal, context } = dependencies
  if (call.attempts > dependencies.retrySeconds.length)
    return { kind: 'failed', reason: 'The workers that placed the call failed repeatedly.', final: true }
  const audio = await guarded(dependencies, () => synthesize(call.tenant, call.speech))
  signal.throwIfAborted()
  if (!isAudio(audio)) return audio
  const { tenant, id: messageId, number } = call
  const [caller, owner] = [call.caller ?? undefined, call.owner ?? undefined]
  const blobs = context.blobs.of(tenant)
  return guarded(dependencies, () =>
    line({ tenant, messageId, number, caller, owner, audio, blobs, signal, ...listeners }),
  )
}

const isAudio = (result: Audio | CallEnd): result is Audio => result instanceof Int16Array

/** Converts an error to the end of an attempt. */
async function guarded<T>({ context, signal }: AttemptDependencies, work: () => Promise<T>): Promise<T | CallEnd> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (isOutage(error)) throw error // the attempt does not count
    if (error instanceof Failure) return { kind: 'failed', reason: error.message, final: error.kind === 'invalid' }
    context.log.error({ err: error }, 'a call failed with an internal error')
    return { kind: 'failed', reason: 'Something went wrong on our side.', final: false }
  }
}
