import { request as plainRequest, type RequestListener } from 'node:http'
import { request as secureRequest } from 'node:https'
import { pipeline } from 'node:stream'
import { endToEndHeaders } from '../instances/requests/forward.ts'

/** Name under which functions reach the platform, whatever its address is. */
export const platformHost = 'platform:80'

/** Set by proxies that the platform trusts, which a function is not. */
const forged = [
  'host',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-real-ip',
]

/** Forwards requests to the platform, with no credentials but the function's own. */
export function toPlatform(baseUrl: string): RequestListener {
  const { protocol, host, hostname, port } = new URL(baseUrl)
  const request = protocol === 'https:' ? secureRequest : plainRequest
  return (message, response) => {
    const outgoing = request({
      ...{ hostname: hostname.replace(/^\[|\]$/g, ''), port, method: message.method, path: message.url },
      headers: ['Host', host, ...endToEndHeaders(message.rawHeaders, forged)],
    })
    outgoing.on('response', (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, endToEndHeaders(incoming.rawHeaders))
      pipeline(incoming, response, () => {})
    })
    outgoing.on('error', () => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end('The platform cannot be reached.\n')
    })
    response.once('close', () => outgoing.destroy())
    pipeline(message, outgoing, () => {})
  }
}

interface Place {
  readonly host: string
  readonly port: number
}

export function addressText(baseUrl: string): string {
  const { host, port } = addressOf(baseUrl)
  return `${host}:${port}`
}

function addressOf(baseUrl: string): Place {
  const { protocol, hostname, port } = new URL(baseUrl)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** Addresses of the platform: its public one, and the hosts of functions, which it serves as well. */
export function platformAddresses(baseUrl: string, domain: string | undefined) {
  const own = addressOf(baseUrl)
  return (host: string, to: number): Place | undefined =>
    to === own.port && (host === own.host || (domain !== undefined && host.endsWith(`.${domain}`))) ? own : undefined
}
