import type { SipResponse } from './message.ts'
import type { SocketAddress, Wire } from './wire.ts'

/** RFC 3261's T1, an estimate of a round trip, and T2, the longest pause between repetitions. */
export interface Timing {
  readonly t1Ms: number
  readonly t2Ms: number
}

export const defaultTiming: Timing = { t1Ms: 500, t2Ms: 4_000 }

/** How long a request is tried, and how long its end is remembered. */
export const patienceMs = ({ t1Ms }: Timing) => 64 * t1Ms

export interface Outgoing {
  readonly packet: Buffer
  readonly branch: string
  readonly method: string
  readonly to: SocketAddress
}

/** Sends a packet now and again, each pause twice as long, until it is stopped. */
function repeatedly(send: () => void, firstMs: number, maxMs: number): () => void {
  let timer: NodeJS.Timeout
  const again = (pauseMs: number) => {
    send()
    timer = setTimeout(again, pauseMs, Math.min(pauseMs * 2, maxMs))
  }
  again(firstMs)
  return () => clearTimeout(timer)
}

/** Asks until somebody answers finally (RFC 3261, 17.1.2). Undefined if nobody does. */
export function ask(
  wire: Wire,
  { packet, branch, method, to }: Outgoing,
  timing: Timing,
): Promise<SipResponse | undefined> {
  return new Promise((resolve) => {
    const stop = repeatedly(() => wire.send(packet, to), timing.t1Ms, timing.t2Ms)
    const end = (response: SipResponse | undefined) => {
      stop()
      clearTimeout(patience)
      forget()
      resolve(response)
    }
    const patience = setTimeout(end, patienceMs(timing), undefined)
    const forget = wire.expect(branch, method, (response) => {
      if (response.status >= 200) end(response)
    })
  })
}

export interface Invitation {
  /** The first final response; undefined if there was none. */
  readonly final: Promise<SipResponse | undefined>
  /** Waits no longer. */
  giveUp(): void
}

interface Hearing {
  provisional(response: SipResponse): void
  /** Called for every copy of a success: each is to be acknowledged, whoever lost the last acknowledgement. */
  success(response: SipResponse): void
  /** The acknowledgement of a refusal. */
  acknowledge(response: SipResponse): Buffer
}

/** Invites until somebody says anything, then waits (RFC 3261, 17.1.1). */
export function invite(
  wire: Wire,
  { packet, branch, method, to }: Outgoing,
  timing: Timing,
  hearing: Hearing,
): Invitation {
  const { promise: final, resolve } = Promise.withResolvers<SipResponse | undefined>()
  const stop = repeatedly(() => wire.send(packet, to), timing.t1Ms, Number.POSITIVE_INFINITY)
  const quiet = () => {
    stop()
    clearTimeout(patience)
  }
  const giveUp = () => {
    quiet()
    resolve(undefined)
    setTimeout(forget, patienceMs(timing)).unref() // who answers late is heard, and let go
  }
  const patience = setTimeout(giveUp, patienceMs(timing))
  let isFinal = false
  const forget = wire.expect(branch, method, (response) => {
    quiet()
    if (response.status < 200) {
      if (!isFinal) hearing.provisional(response)
      return
    }
    if (response.status < 300) hearing.success(response)
    else wire.send(hearing.acknowledge(response), to)
    if (!isFinal) setTimeout(forget, patienceMs(timing)).unref() // copies may come
    isFinal = true
    resolve(response)
  })
  return { final, giveUp }
}
