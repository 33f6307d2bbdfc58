import { Failure } from '@icosa/kernel'
import { checkCredentials, hungUp, refused, unreachable } from '../failures.ts'

const advice: Readonly<Record<string, string>> = {
  403: checkCredentials,
  404: 'Declare it there.',
}

/** In words what the client says: the broker's own, if it gave some. */
export function explained(error: Error, url: URL): Failure {
  const { message } = error
  const [, code = '', said = ''] = /(\d{3}) \([\w-]+\) with message "(.*)"/s.exec(message) ?? []
  if (said) return refused(url, said, advice[code])
  if (message.startsWith('Expected ConnectionOpenOk; got <ConnectionClose')) return noVirtualHost(url)
  if (/^(Invalid frame|Frame |Unexpected frame|Unknown frame|Expected )/.test(message)) return notAmqp(error)
  if (/clos|ended/i.test(message)) return hungUp(url, error)
  return unreachable(url, error)
}

/** Here the client keeps the broker's words to itself. */
function noVirtualHost(url: URL): Failure {
  const name = decodeURIComponent(url.pathname.slice(1)) || '/'
  return refused(
    url,
    `there is no virtual host '${name}' for this user`,
    'Check the path of the address, and who may use it.',
  )
}

function notAmqp(cause: Error): Failure {
  const message = 'The server that answered does not speak AMQP 0-9-1: check the address of the broker.'
  return new Failure('unavailable', message, { cause })
}
