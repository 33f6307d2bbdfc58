import { Failure, type JobContext } from '@icosa/kernel'
import type { EventType } from '../event-destinations/contract.ts'
import type { Audio } from '../speech/audio.ts'
import type { Synthesize } from '../speech/synthesize.ts'
import type { Call, CallState } from './call.ts'
import type { Attempt, CallEnd, Line } from './line.ts'
import { lastStep } from './outcome.ts'
import type { Step } from './record.ts'

export interface Means {
  readonly line: Line
  readonly synthesize: Synthesize
  readonly retrySeconds: readonly number[]
  readonly context: JobContext
  readonly signal: AbortSignal
  /** Resolves when it is written. */
  readonly tell: (step: Step) => Promise<void>
}

/** Tries once to bring a message to somebody. Rejects only if the worker has lost the call, or cannot write. */
export async function placeCall(call: Call, means: Means): Promise<void> {
  const { context, tell } = means
  const attempt = call.attempts + 1
  let number = call.events
  const say = (state: CallState, type: EventType) => {
    const happening = { type, at: context.clock.now(), attempt, isFinal: false }
    return tell({ call, number: ++number, happening, state })
  }
  /** Whoever waits for the end of the call hears of an error, too: what is written is written in order. */
  const mention = (state: CallState, type: EventType) => void say(state, type).catch(() => {})

  const end = await attemptOf(call, means, {
    onInitiated: () => say('initiated', 'INITIATED_CALL'),
    onRinging: () => mention('ringing', 'RINGING'),
    onAnswered: () => mention('answered', 'ANSWERED'),
  })
  await tell(lastStep(call, { attempt, number: ++number }, end, context.clock.now(), means))
}

type Listening = Pick<Attempt, 'onInitiated' | 'onRinging' | 'onAnswered'>

async function attemptOf(call: Call, means: Means, listening: Listening): Promise<CallEnd> {
  const { line, synthesize, signal, context } = means
  if (call.attempts > means.retrySeconds.length)
    return { kind: 'failed', reason: 'Its workers died again and again.', final: true }
  const audio = await guarded(means, () => synthesize(call.tenant, call.speech))
  signal.throwIfAborted()
  if (!isAudio(audio)) return audio
  const { tenant, id: messageId, number } = call
  const [caller, owner] = [call.caller ?? undefined, call.owner ?? undefined]
  const { blobs } = context
  return guarded(means, () => line({ tenant, messageId, number, caller, owner, audio, blobs, signal, ...listening }))
}

const isAudio = (result: Audio | CallEnd): result is Audio => result instanceof Int16Array

/** An error becomes the end of an attempt, in words. */
async function guarded<T>({ context, signal }: Means, work: () => Promise<T>): Promise<T | CallEnd> {
  try {
    return await work()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Failure) return { kind: 'failed', reason: error.message, final: error.kind === 'invalid' }
    context.log.error({ err: error }, 'a call went wrong on our side')
    return { kind: 'failed', reason: 'Something went wrong on our side.', final: false }
  }
}
