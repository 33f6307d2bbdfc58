import { type Credentials, challengeIn, digest } from './digest.ts'
import { answeredLeg, type Leg, newBranch, requestOn } from './leg.ts'
import { type Header, headerOf, type SipResponse } from './message.ts'
import { invite, sendRequest, type Timing, timeoutMs } from './transaction.ts'
import type { Wire } from './wire.ts'

/** An answered call. */
export interface Dialog {
  /** Session description of the callee. */
  readonly answer: string
  /** Resolves when the callee hangs up. */
  readonly ended: Promise<void>
  /** Sends BYE, unless the callee has. */
  hangUp(): Promise<void>
}

export type CallResult =
  | { readonly kind: 'answered'; readonly dialog: Dialog }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  /** Cancelled, after the ringing time or by the caller. */
  | { readonly kind: 'unanswered' }
  /** No response at all. */
  | { readonly kind: 'unreachable' }

export interface CallDependencies {
  readonly wire: Wire
  readonly timing: Timing
  readonly credentials: Credentials | undefined
  /** Calls `ended` when the callee sends BYE. Returns a function that stops listening. */
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

/** Without credentials, with a nonce, and with another if that has expired. */
const maxAttempts = 3

/** Places a call and waits for its result. */
export async function placeCall(dependencies: CallDependencies, call: OutgoingCall): Promise<CallResult> {
  const deadline = performance.now() + call.ringMs
  let proof: Header | undefined
  let isRinging = false
  const onRinging = () => {
    if (!isRinging) call.onRinging()
    isRinging = true
  }
  for (let sequence = 1; ; sequence++) {
    const { final, hasResponse, isCancelled, dialog } = await ring(
      dependencies,
      { ...call, onRinging },
      { sequence, proof, deadline },
    )
    if (dialog) return { kind: 'answered', dialog }
    if (isCancelled && hasResponse) return { kind: 'unanswered' }
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
  /** Whether there was any response. */
  readonly hasResponse: boolean
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
  const request = (method: string, requestLeg: Leg, more: Partial<Parameters<typeof requestOn>[2]> = {}) =>
    requestOn(wire, requestLeg, { method, sequence, ...more })
  const dialogs = new Map<string, { readonly acknowledge: () => void; readonly dialog: Dialog }>()
  let hasResponse = false
  let isCancelled = false

  const cancel = () => {
    isCancelled = true
    if (!hasResponse) return invitation.giveUp() // RFC 3261: no CANCEL before a provisional response
    void sendRequest(wire, request('CANCEL', leg, { branch }), timing)
    setTimeout(invitation.giveUp, timeoutMs(timing)).unref()
  }
  const invitation = invite(wire, request('INVITE', leg, { branch, headers, body: offer }), timing, {
    provisional({ status }) {
      const isFirst = !hasResponse
      hasResponse = true
      if (isFirst && isCancelled) cancel()
      if (!isCancelled && (status === 180 || status === 183)) onRinging()
    },
    success(response) {
      const existing = dialogs.get(response.toTag ?? '')
      if (existing) return existing.acknowledge()
      const answered = answeredLeg(leg, response)
      const { packet, to } = request('ACK', answered, { headers: proofs })
      const acknowledge = () => wire.send(packet, to)
      acknowledge()
      const dialog = dialogOn(dependencies, answered, sequence, response.body)
      // Only the first answer is used, and none after a CANCEL.
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
    return { final, hasResponse, isCancelled, dialog: first?.dialog }
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
  void ended.then(() => setTimeout(forget, timeoutMs(dependencies.timing)).unref()) // answers retransmitted BYEs
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
  const final = await sendRequest(wire, requestOn(wire, leg, { method: 'BYE', sequence }), timing)
  const proof = final && proofFor(dependencies, final, leg.uri, false, 'BYE')
  if (proof)
    await sendRequest(wire, requestOn(wire, leg, { method: 'BYE', sequence: sequence + 1, headers: [proof] }), timing)
}

/** Answers a challenge; undefined if there is none, or if it was answered before. */
function proofFor(
  { credentials }: CallDependencies,
  response: SipResponse,
  uri: string,
  hasProof: boolean,
  method = 'INVITE',
): Header | undefined {
  const { status, headers } = response
  if (!credentials || (status !== 401 && status !== 407)) return undefined
  const [challengeHeader, header] =
    status === 401 ? ['www-authenticate', 'Authorization'] : ['proxy-authenticate', 'Proxy-Authorization']
  const challenge = challengeIn(headers.filter(([name]) => name === challengeHeader).map(([, value]) => value))
  if (!challenge || (hasProof && !challenge.stale)) return undefined
  return [header ?? '', digest(challenge, credentials, { method, uri })]
}
