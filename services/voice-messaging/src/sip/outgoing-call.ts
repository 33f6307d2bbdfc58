import { type Credentials, challengeIn, digest } from './digest.ts'
import { answeredLeg, type Leg, newBranch, requestOn } from './leg.ts'
import { type Header, headerOf, type SipResponse } from './message.ts'
import { ask, invite, patienceMs, type Timing } from './transaction.ts'
import type { Wire } from './wire.ts'

/** A call that was answered. */
export interface Dialog {
  /** The session description of the other side. */
  readonly answer: string
  /** Resolves when the other side hangs up. */
  readonly ended: Promise<void>
  /** Sends BYE, unless the other side has. */
  hangUp(): Promise<void>
}

/** What became of an invitation. */
export type CallResult =
  | { readonly kind: 'answered'; readonly dialog: Dialog }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  /** The time to answer was up, or the caller gave up: it was cancelled. */
  | { readonly kind: 'unanswered' }
  /** Nobody said anything at all. */
  | { readonly kind: 'unreachable' }

export interface CallDependencies {
  readonly wire: Wire
  readonly timing: Timing
  readonly credentials: Credentials | undefined
  /** Calls `ended` when the other side sends BYE, until the returned function is called. */
  listen(leg: Leg, ended: () => void): () => void
}

export interface OutgoingCall {
  readonly leg: Leg
  readonly headers: readonly Header[]
  readonly offer: string
  readonly ringMs: number
  readonly signal: AbortSignal
  readonly onRinging: () => void
}

/** Once for every challenge: with a nonce, and with a fresher one if that was too old. */
const maxAttempts = 3

/** Places a call and waits until somebody answers it, or nobody does. */
export async function placeCall(dependencies: CallDependencies, call: OutgoingCall): Promise<CallResult> {
  const deadline = performance.now() + call.ringMs
  let proof: Header | undefined
  let isRinging = false
  const onRinging = () => {
    if (!isRinging) call.onRinging()
    isRinging = true
  }
  for (let sequence = 1; ; sequence++) {
    const { final, isHeard, isCancelled, dialog } = await ring(
      dependencies,
      { ...call, onRinging },
      { sequence, proof, deadline },
    )
    if (dialog) return { kind: 'answered', dialog }
    if (isCancelled && isHeard) return { kind: 'unanswered' }
    if (!final) return { kind: 'unreachable' }
    const next = sequence < maxAttempts ? proofFor(dependencies, final, call.leg.uri, proof !== undefined) : undefined
    if (!next) return { kind: 'refused', status: final.status, reason: final.reason }
    proof = next
  }
}

interface Attempt {
  readonly sequence: number
  readonly proof: Header | undefined
  readonly deadline: number
}

interface RingResult {
  readonly final: SipResponse | undefined
  /** Somebody said something. */
  readonly isHeard: boolean
  readonly isCancelled: boolean
  readonly dialog: Dialog | undefined
}

async function ring(
  dependencies: CallDependencies,
  call: OutgoingCall,
  { sequence, proof, deadline }: Attempt,
): Promise<RingResult> {
  const { wire, timing } = dependencies
  const { leg, offer, signal, onRinging } = call
  const branch = newBranch()
  const proofs = proof ? [proof] : []
  const headers = [...call.headers, ...proofs]
  const request = (method: string, on: Leg, more: Partial<Parameters<typeof requestOn>[2]> = {}) =>
    requestOn(wire, on, { method, sequence, ...more })
  const dialogs = new Map<string, { readonly acknowledge: () => void; readonly dialog: Dialog }>()
  let isHeard = false
  let isCancelled = false

  const cancel = () => {
    isCancelled = true
    if (!isHeard) return invitation.giveUp() // before anybody has said anything there is nothing to cancel
    void ask(wire, request('CANCEL', leg, { branch }), timing)
    setTimeout(invitation.giveUp, patienceMs(timing)).unref()
  }
  const invitation = invite(wire, request('INVITE', leg, { branch, headers, body: offer }), timing, {
    provisional({ status }) {
      const isFirst = !isHeard
      isHeard = true
      if (isFirst && isCancelled) cancel()
      if (!isCancelled && (status === 180 || status === 183)) onRinging()
    },
    success(response) {
      const known = dialogs.get(response.toTag ?? '')
      if (known) return known.acknowledge()
      const answered = answeredLeg(leg, response)
      const { packet, to } = request('ACK', answered, { headers: proofs })
      const acknowledge = () => wire.send(packet, to)
      acknowledge()
      const dialog = dialogOn(dependencies, answered, sequence, response.body)
      // Of several who answer, the first is spoken to; so is nobody who comes too late.
      if (dialogs.size > 0 || isCancelled) void dialog.hangUp()
      dialogs.set(response.toTag ?? '', { acknowledge, dialog })
    },
    acknowledge: (response) => request('ACK', { ...leg, to: headerOf(response, 'to') ?? leg.to }, { branch }).packet,
  })
  const timer = setTimeout(cancel, Math.max(0, deadline - performance.now()))
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const final = await invitation.final
    const [first] = isCancelled ? [] : dialogs.values()
    return { final, isHeard, isCancelled, dialog: first?.dialog }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }
}

function dialogOn(dependencies: CallDependencies, leg: Leg, inviteSequence: number, answer: string): Dialog {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isOver = false
  const end = () => {
    isOver = true
    resolve()
  }
  const forget = dependencies.listen(leg, end)
  void ended.then(() => setTimeout(forget, patienceMs(dependencies.timing)).unref()) // a repeated BYE is answered, too
  return {
    answer,
    ended,
    async hangUp() {
      if (isOver) return
      end()
      await sendBye(dependencies, leg, inviteSequence + 1)
    },
  }
}

async function sendBye(dependencies: CallDependencies, leg: Leg, sequence: number): Promise<void> {
  const { wire, timing } = dependencies
  const final = await ask(wire, requestOn(wire, leg, { method: 'BYE', sequence }), timing)
  const proof = final && proofFor(dependencies, final, leg.uri, false, 'BYE')
  if (proof) await ask(wire, requestOn(wire, leg, { method: 'BYE', sequence: sequence + 1, headers: [proof] }), timing)
}

/** What answers a challenge; undefined if it is none, or if we have answered it already. */
function proofFor(
  { credentials }: CallDependencies,
  response: SipResponse,
  uri: string,
  hasProof: boolean,
  method = 'INVITE',
): Header | undefined {
  const { status, headers } = response
  if (!credentials || (status !== 401 && status !== 407)) return undefined
  const [asks, answers] =
    status === 401 ? ['www-authenticate', 'Authorization'] : ['proxy-authenticate', 'Proxy-Authorization']
  const challenge = challengeIn(headers.filter(([name]) => name === asks).map(([, value]) => value))
  if (!challenge || (hasProof && !challenge.stale)) return undefined
  return [answers ?? '', digest(challenge, credentials, { method, uri })]
}
