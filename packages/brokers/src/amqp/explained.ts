import { Failure } from '@icosa/kernel'
import { checkCredentials, hungUp, refused, unreachable } from '../failures.ts'

const advice: Readonly<Record<string, string>> = {
  403: checkCredentials,
  404: 'Declare it there.',
}

/** Translates a client error, using the broker's own message if there is one. */
export function explained(error: Error, url: URL): Failure {
  const { message } = error
  const [, code = '', text = ''] = /(\d{3}) \([\w-]+\) with message "(.*)"/s.exec(message) ?? []
  if (text) return refused(url, text, advice[code])
  if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose')) return noVirtualHost(url)
  if (/^(Invalid frame|Frame |Unexpected frame|Unknown frame|Expected )/.test(message)) return notAmqp(error)
  if (/clos|ended/i.test(message)) return hungUp(url, error)
  return unreachable(url, error)
}

/** The client hides the broker's message in this case. */
function noVirtualHost(url: URL): Failure {
  const name = decodeURIComponent(url.pathname.slice(1)) || '/'
  return refused(
    url,
    `there is no virtual host '${name}' for this user`,
    'Check the path of the address, and the permissions of the user.',
  )
}

function notAmqp(cause: Error): Failure {
  const message = 'The server does not speak AMQP 0-9-1: check the address of the broker.'
  return new Failure('unavailable', message, { cause })
}
