import { openBrokers } from '@icosa/brokers'
import { Failure, isOutage, type JobContext, type OnStop, type Platform } from '@icosa/kernel'
import type { HttpTarget, Message, Target } from './message.ts'
import { type Outcome, ourFault, outcomeOf, outcomeOfFailure } from './outcome.ts'
import { signatureHeaders } from './signature.ts'

export interface SendOptions {
  readonly signal: AbortSignal
  /** For one attempt, until the last byte of the response. */
  readonly timeoutMs: number
}

/** Makes one attempt. Throws only if the signal aborts: the lease is lost, and no effect counts any more. */
export type Send = (target: Target, message: Message, options: SendOptions) => Promise<Outcome>

/** The runtime of services that send. */
export interface Sending {
  readonly send: Send
}

/** Responses are read for the history only, so long ones are cut off. */
const maxResponseBytes = 1024 * 1024

/** Connections to brokers are opened on demand, and closed when the node stops. */
export function startSending(
  { fetch, clock, log, traces }: Pick<Platform, 'fetch' | 'clock' | 'log' | 'traces'>,
  onStop: OnStop,
): Sending {
  const brokers = openBrokers()
  onStop(() => brokers[Symbol.asyncDispose]())

  async function request(target: HttpTarget, message: Message, options: SendOptions): Promise<Outcome> {
    const { url, secret, method = 'POST', clientCertificate } = target
    const { id, headers, payload } = message
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(secret && signatureHeaders(secret, id, payload ?? '', clock.now())) },
      ...(payload !== undefined && { body: payload }),
      ...(clientCertificate && { clientCertificate }),
      ...options,
      maxBytes: maxResponseBytes,
    })
    return outcomeOf(response, clock.now())
  }

  const send: Send = (target, message, options) =>
    attempted({ signal: options.signal, log }, async () => {
      if ('url' in target)
        return traces.sending('send', serverOf(target.url), (trace) =>
          request(target, { ...message, headers: { ...trace, ...message.headers } }, options),
        )
      const { broker, ...destination } = target
      const to = { ...serverOf(broker), 'messaging.destination.name': target.subject }
      await traces.sending('send', to, (trace) => {
        const headers = { ...trace, ...message.headers }
        return brokers.publish(broker, { ...destination, ...message, headers, payload: message.payload ?? '' }, options)
      })
      return { result: 'delivered', message: `The broker accepted the message on ${target.subject}.` }
    })
  return { send }
}

/** Only the host: the rest of a URL may contain secrets. */
const serverOf = (address: string) => ({ 'server.address': URL.canParse(address) ? new URL(address).host : undefined })

/** Converts errors of an attempt, including its preparation, into outcomes. */
export async function attempted(
  { signal, log }: Pick<JobContext, 'signal' | 'log'>,
  attempt: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await attempt()
  } catch (error) {
    signal.throwIfAborted()
    if (isOutage(error)) throw error // the attempt does not count
    if (error instanceof Failure) return outcomeOfFailure(error)
    log.error({ err: error }, 'an attempt to send a message failed internally')
    return ourFault
  }
}
