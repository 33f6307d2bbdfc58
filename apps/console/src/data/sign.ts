import { canonicalRequest } from '@icosa/dialects/signed/canonical'

const encoder = new TextEncoder()
const hex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => hex(await crypto.subtle.digest('SHA-256', bytes))

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return crypto.subtle.sign('HMAC', imported, encoder.encode(text))
}

interface Signer {
  readonly id: string
  readonly secret: string
  readonly region: string
  readonly service: string
  readonly now: () => Date
}

/** A `fetch` that signs requests with Signature Version 4, using WebCrypto. */
export const signedFetch =
  ({ id, secret, region, service, now }: Signer): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init)
    const body = new Uint8Array(await request.arrayBuffer())
    const { host, pathname, search } = new URL(request.url)
    const time = now()
      .toISOString()
      .replace(/[-:]|\.\d{3}/g, '')
    const payloadHash = await sha256(body)
    const headers: Record<string, string> = {
      ...Object.fromEntries(request.headers),
      ...{ host, 'x-amz-date': time, 'x-amz-content-sha256': payloadHash },
    }
    const names = Object.keys(headers).sort()
    const scope = [time.slice(0, 8), region, service, 'aws4_request']
    const canonical = canonicalRequest(
      { method: request.method, target: pathname + search, headers },
      names,
      payloadHash,
    )
    const text = `AWS4-HMAC-SHA256\n${time}\n${scope.join('/')}\n${await sha256(encoder.encode(canonical))}`
    let key: BufferSource = encoder.encode(`AWS4${secret}`)
    for (const part of scope) key = await hmac(key, part)
    const signature = hex(await hmac(key, text))
    const { host: _, ...sent } = headers
    sent.authorization = `AWS4-HMAC-SHA256 Credential=${id}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`
    return fetch(request.url, { method: request.method, headers: sent, ...(body.length > 0 && { body }) })
  }
