import { Failure } from '@icosa/kernel'
import { type Channel, channels } from '../rtp/channel.ts'
import type { TrunkSettings, VoiceSettings } from '../settings.ts'
import { type Agent, openAgent } from '../sip/agent.ts'
import type { CallResult, Dialog } from '../sip/outgoing-call.ts'
import { readAnswer } from '../sip/sdp.ts'
import type { Timing } from '../sip/transaction.ts'
import type { Attempt, CallEnd, Line } from './line.ts'

type TrunkOptions = Pick<VoiceSettings, 'sip' | 'rtpPorts' | 'ringSeconds'> & { readonly timing?: Timing }

const defaultCaller = 'anonymous'

export interface Trunk extends AsyncDisposable {
  readonly line: Line
}

/** Places calls over SIP through one socket, which is opened for the first call. */
export function openTrunk(trunk: TrunkSettings, { sip, rtpPorts, ringSeconds, timing }: TrunkOptions): Trunk {
  const media = channels(rtpPorts)
  let opening: Promise<Agent> | undefined
  const hangingUp = new Set<Promise<void>>()

  function agent(): Promise<Agent> {
    const { host, port, domain, user, password = '' } = trunk
    const credentials = user === undefined ? undefined : { user, password }
    opening ??= openAgent({ trunk: { host, port, domain, credentials }, ...sip, ...(timing && { timing }) }).catch(
      (cause: Error) => {
        opening = undefined
        throw new Failure('unavailable', `Calls cannot be placed through ${host}:${port}: ${cause.message}.`, { cause })
      },
    )
    return opening
  }

  /** Sends BYE in the background, with retransmissions. */
  function hangUp(dialog: Dialog): void {
    const bye = dialog.hangUp().finally(() => hangingUp.delete(bye))
    hangingUp.add(bye)
  }

  const line: Line = async (attempt) => {
    const { number, signal, onRinging } = attempt
    const { call, local } = await agent()
    using channel = await media.open(local)
    const owner = attempt.owner ?? attempt.caller ?? trunk.user ?? defaultCaller
    const caller = attempt.caller ?? owner
    const ringMs = ringSeconds * 1_000
    await attempt.onInitiated()
    const placed = await call({ number, caller, owner, mediaPort: channel.port, ringMs, signal, onRinging })
    if (placed.kind === 'answered') return await speak(channel, placed.dialog, attempt, hangUp)
    signal.throwIfAborted()
    return endOf(placed)
  }

  return {
    line,
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(hangingUp)
      await media[Symbol.asyncDispose]()
      await opening?.then((agent) => agent[Symbol.asyncDispose]())
    },
  }
}

async function speak(
  channel: Channel,
  dialog: Dialog,
  attempt: Attempt,
  hangUp: (dialog: Dialog) => void,
): Promise<CallEnd> {
  const target = readAnswer(dialog.answer)
  if (!target) {
    hangUp(dialog)
    return { kind: 'failed', reason: 'The callee does not accept G.711 over RTP.', final: true }
  }
  attempt.onAnswered()
  const answeredMs = performance.now()
  const hungUp = new AbortController()
  void dialog.ended.then(() => hungUp.abort())
  const signal = AbortSignal.any([attempt.signal, hungUp.signal])
  await channel.play(target, attempt.audio, signal)
  const seconds = (performance.now() - answeredMs) / 1_000
  const endedBy = hungUp.signal.aborted ? 'callee' : 'caller'
  hangUp(dialog)
  attempt.signal.throwIfAborted()
  return { kind: 'completed', seconds, endedBy }
}

const busy: ReadonlySet<number> = new Set([486, 600])
const noAnswer: ReadonlySet<number> = new Set([408, 480, 487])
/** Permanent failures, such as an unknown number. */
const final: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 410, 415, 484, 485, 488, 603, 604, 606])

function endOf(placed: Exclude<CallResult, { kind: 'answered' }>): CallEnd {
  switch (placed.kind) {
    case 'unanswered':
      return { kind: 'noAnswer', reason: 'Nobody answered in time.' }
    case 'unreachable':
      return { kind: 'failed', reason: 'The trunk does not answer.', final: false }
    case 'refused': {
      const { status } = placed
      const reason = `${status} ${placed.reason}`.trim()
      if (busy.has(status)) return { kind: 'busy', reason }
      if (noAnswer.has(status)) return { kind: 'noAnswer', reason }
      return { kind: 'failed', reason, final: final.has(status) }
    }
  }
}
