import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Client } from 'undici'

export interface PinnedClientOptions {
  readonly addresses: readonly LookupAddress[]
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Holds the client certificate to show. */
  readonly secureContext: SecureContext | undefined
}

const MAX_HEADER_BYTES = 16 * 1024

/**
 * A connection that can only reach addresses already checked.
 *
 * How the pinning holds: the client is made for one request and thrown away, so there is no pool in which a connection
 * opened for another answer of the name could wait. Its only way to turn the name into an address is `lookup`, which
 * hands out the checked addresses and never asks again, not even when undici reconnects. A host that is itself an
 * address is not looked up at all: the address dialled is the one that was checked. The name stays the client's
 * origin, so the Host header, the TLS server name and the certificate check all use it.
 *
 * For the same reason a client certificate is shown for this request only: nobody else gets the connection, nor its TLS
 * session, which undici keeps with the client.
 */
export function pinnedClient(url: URL, options: PinnedClientOptions): Client {
  const { addresses, maxBytes, timeoutMs, signal, secureContext } = options
  const lookup: LookupFunction = (_name, { all }, answer) => {
    if (all) return answer(null, [...addresses])
    const [first] = addresses
    answer(null, first?.address ?? '', first?.family)
  }
  return new Client(url.origin, {
    // The signal ends a connection attempt too, which destroying the client would not.
    connect: { lookup, signal, timeout: timeoutMs, ...(secureContext && { secureContext }) },
    // One request gains nothing from HTTP/2, and these limits were tested on HTTP/1.1.
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // What comes over the wire; the body is capped again after decoding.
    maxResponseSize: maxBytes,
    // The one deadline of the whole exchange is enough.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
