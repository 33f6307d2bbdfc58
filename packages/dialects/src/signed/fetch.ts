import { hash } from 'node:crypto'
import { type Clock, systemClock } from '@icosa/kernel'
import { canonicalRequest } from './canonical.ts'
import { algorithm, scopeText, signatureOf, signingKey } from './signature.ts'

/** An access key and its signing scope. */
export interface Signer {
  readonly id: string
  readonly secret: string
  readonly sessionToken?: string | undefined
  readonly region: string
  readonly service: string
}

/** A `fetch` that signs requests. */
export function signedFetch(signer: Signer, clock: Clock = systemClock): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const body = new Uint8Array(await request.arrayBuffer())
    const { host, pathname, search } = new URL(request.url)
    const time = clock
      .now()
      .toISOString()
      .replace(/[-:]|\.\d{3}/g, '')
    const payloadHash = hash('sha256', body)
    const headers: Record<string, string> = {
      ...Object.fromEntries(request.headers),
      host,
      'x-amz-date': time,
      'x-amz-content-sha256': payloadHash,
      ...(signer.sessionToken !== undefined && { 'x-amz-security-token': signer.sessionToken }),
    }
    const names = Object.keys(headers).sort()
    const scope = { date: time.slice(0, 8), region: signer.region, service: signer.service }
    const canonical = canonicalRequest(
      { method: request.method, target: pathname + search, headers },
      names,
      payloadHash,
    )
    const signature = signatureOf(signingKey(signer.secret, scope), time, scope, canonical)
    headers.authorization = `${algorithm} Credential=${signer.id}/${scopeText(scope)}, SignedHeaders=${names.join(';')}, Signature=${signature}`
    delete headers.host // set by fetch
    return fetch(request.url, {
      method: request.method,
      headers,
      redirect: request.redirect,
      ...(body.length > 0 && { body }),
    })
  }
}
