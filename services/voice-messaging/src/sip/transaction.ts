import type { SipResponse } from './message.ts'
import type { SocketAddress, Wire } from './wire.ts'

/** RFC 3261's T1, the estimated round trip, and T2, the maximum pause between retransmissions. */
export interface Timing {
  readonly t1Ms: number
  readonly t2Ms: number
}

export const defaultTiming: Timing = { t1Ms: 500, t2Ms: 4_000 }

/** Timeout of a transaction, and time for which its end is remembered. */
export const timeoutMs = ({ t1Ms }: Timing) => 64 * t1Ms

export interface Outgoing {
  readonly packet: Buffer
  readonly branch: string
  readonly method: string
  readonly to: SocketAddress
}

/** Sends now and again with doubling pauses, until stopped. */
function retransmit(send: () => void, firstMs: number, maxMs: number): () => void {
  let timer: NodeJS.Timeout
  const repeat = (pauseMs: number) => {
    send()
    timer = setTimeout(repeat, pauseMs, Math.min(pauseMs * 2, maxMs))
  }
  repeat(firstMs)
  return () => clearTimeout(timer)
}

/** Client transaction of other requests than INVITE (RFC 3261, 17.1.2). Returns the final response, if any. */
export function sendRequest(
  wire: Wire,
  { packet, branch, method, to }: Outgoing,
  timing: Timing,
): Promise<SipResponse | undefined> {
  return new Promise((resolve) => {
    const stop = retransmit(() => wire.send(packet, to), timing.t1Ms, timing.t2Ms)
    const end = (response: SipResponse | undefined) => {
      stop()
      clearTimeout(timeout)
      forget()
      resolve(response)
    }
    const timeout = setTimeout(end, timeoutMs(timing), undefined)
    const forget = wire.expect(branch, method, (response) => {
      if (response.status >= 200) end(response)
    })
  })
}

export interface Invitation {
  /** First final response, if any. */
  readonly final: Promise<SipResponse | undefined>
  /** Stops waiting. */
  giveUp(): void
}

interface InviteListener {
  provisional(response: SipResponse): void
  /** Called for every copy of a success: each must be acknowledged. */
  success(response: SipResponse): void
  /** Returns the ACK of a rejection. */
  acknowledge(response: SipResponse): Buffer
}

/** Client transaction of INVITE (RFC 3261, 17.1.1). */
export function invite(
  wire: Wire,
  { packet, branch, method, to }: Outgoing,
  timing: Timing,
  listener: InviteListener,
): Invitation {
  const { promise: final, resolve } = Promise.withResolvers<SipResponse | undefined>()
  const stop = retransmit(() => wire.send(packet, to), timing.t1Ms, Number.POSITIVE_INFINITY)
  const stopTimers = () => {
    stop()
    clearTimeout(timeout)
  }
  const giveUp = () => {
    stopTimers()
    resolve(undefined)
    setTimeout(forget, timeoutMs(timing)).unref() // late answers are acknowledged and hung up on
  }
  const timeout = setTimeout(giveUp, timeoutMs(timing))
  let isFinal = false
  const forget = wire.expect(branch, method, (response) => {
    stopTimers()
    if (response.status < 200) {
      if (!isFinal) listener.provisional(response)
      return
    }
    if (response.status < 300) listener.success(response)
    else wire.send(listener.acknowledge(response), to)
    if (!isFinal) setTimeout(forget, timeoutMs(timing)).unref() // for retransmitted responses
    isFinal = true
    resolve(response)
  })
  return { final, giveUp }
}
