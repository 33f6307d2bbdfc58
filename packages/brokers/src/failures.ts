import { Failure } from '@icosa/kernel'

const isSecure = ({ protocol }: URL) => protocol === 'amqps:' || protocol === 'tls:'

export function unreachable(url: URL, cause: unknown): Failure {
  const { message } = cause instanceof Error ? cause : new Error('no reason given')
  const why = isSecure(url) || /tls|ssl|certificate/i.test(message) ? ` over TLS (${message})` : ''
  const advice = why ? 'start it, set its address, or let Node trust its authority' : 'start it, or set its address'
  return new Failure('unavailable', `The broker at ${url.host} cannot be reached${why}: ${advice}.`, { cause })
}

/** Quotes the broker's message, which is stored in histories: PostgreSQL stores no NUL. */
export function refused({ host }: URL, words: string, advice = ''): Failure {
  const text = words.replaceAll('\0', '\u{fffd}')
  return new Failure('unavailable', `The broker at ${host} refused: ${text}. ${advice}`.trim())
}

export const checkCredentials = 'Check user, password and permissions.'

export function hungUp({ host }: URL, cause?: unknown): Failure {
  return new Failure('unavailable', `The broker at ${host} closed the connection before it had accepted the message.`, {
    cause,
  })
}

export function silent({ host }: URL): Failure {
  return new Failure('unavailable', `The broker at ${host} did not respond: check that it is running.`)
}
