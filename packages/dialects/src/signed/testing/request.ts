import { hash } from 'node:crypto'
import { request as send } from 'node:http'
import { canonicalRequest, encode } from '../canonical.ts'
import type { Signer } from '../fetch.ts'
import { algorithm, scopeText, signatureOf, signingKey } from '../signature.ts'

/** A request of which every part can be corrupted, before or after signing. */
export interface Draft {
  method: string
  target: string
  headers: [name: string, value: string][]
  body: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Record<string, string>
}

export interface Signing {
  readonly at?: Date
  readonly only?: (name: string) => boolean
  readonly payloadHash?: string
}

const basic = (at: Date) => at.toISOString().replace(/[-:]|\.\d{3}/g, '')

export const draft = (method: string, target: string, body = ''): Draft => ({ method, target, headers: [], body })

/** Signs all headers of the draft in the Authorization header. */
export function signInHeader(request: Draft, url: string, signer: Signer, signing: Signing = {}): Draft {
  const { at = new Date(), only = () => true, payloadHash = hash('sha256', request.body) } = signing
  const time = basic(at)
  const scope = { date: time.slice(0, 8), region: signer.region, service: signer.service }
  const headers: Draft['headers'] = [...request.headers, ['host', new URL(url).host], ['x-amz-date', time]]
  if (signing.payloadHash) headers.push(['x-amz-content-sha256', payloadHash])
  if (signer.sessionToken) headers.push(['x-amz-security-token', signer.sessionToken])
  const names = headers.map(([name]) => name).filter(only)
  const canonical = canonicalRequest({ ...request, headers: Object.fromEntries(headers) }, names.sort(), payloadHash)
  const signature = signatureOf(signingKey(signer.secret, scope), time, scope, canonical)
  const authorization = `${algorithm} Credential=${signer.id}/${scopeText(scope)}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...request, headers: [...headers, ['authorization', authorization]] }
}

/** Signs in the query. */
export function presign(request: Draft, url: string, signer: Signer, seconds: number, at = new Date()): Draft {
  const time = basic(at)
  const scope = { date: time.slice(0, 8), region: signer.region, service: signer.service }
  const parameters = {
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': `${signer.id}/${scopeText(scope)}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(seconds),
    'X-Amz-SignedHeaders': 'host',
    ...(signer.sessionToken && { 'X-Amz-Security-Token': signer.sessionToken }),
  }
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encode(value)}`)
  const target = `${request.target}${request.target.includes('?') ? '&' : '?'}${query.join('&')}`
  const canonical = canonicalRequest(
    { ...request, target, headers: { host: new URL(url).host } },
    ['host'],
    hash('sha256', request.body),
  )
  const signature = signatureOf(signingKey(signer.secret, scope), time, scope, canonical)
  return { ...request, target: `${target}&X-Amz-Signature=${signature}`, headers: [['host', new URL(url).host]] }
}

/** Sends the draft byte for byte. */
export function exchange(url: string, { method, target, headers, body }: Draft): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const length =
    body === '' ? [] : ['content-length', String(Buffer.byteLength(body)), 'content-type', 'application/json']
  const request = send(
    { hostname, port, method, path: target, headers: [...headers.flat(), ...length] },
    (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text === '' ? {} : JSON.parse(text),
        }),
      )
    },
  )
  request.on('error', reject).end(body)
  return promise
}
