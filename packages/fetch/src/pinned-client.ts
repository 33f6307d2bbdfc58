import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { SecureContext } from 'node:tls'
import { Client } from 'undici'

export interface PinnedClientOptions {
  readonly addresses: readonly LookupAddress[]
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Contains the client certificate. */
  readonly secureContext: SecureContext | undefined
}

const MAX_HEADER_BYTES = 16 * 1024

/**
 * A connection that can only reach checked addresses (DNS pinning).
 *
 * The client serves one request, so no pool can contain a connection opened for another DNS answer. It resolves the
 * name only by `lookup`, which returns the checked addresses, even when undici reconnects. A host that is an address is
 * not looked up, and was checked itself. The name stays the client's origin, so the Host header, the TLS server name
 * and the certificate check all use it.
 *
 * For the same reason a client certificate is presented for this request only: connection and TLS session, which undici
 * keeps with the client, are not shared.
 */
export function pinnedClient(url: URL, options: PinnedClientOptions): Client {
  const { addresses, maxBytes, timeoutMs, signal, secureContext } = options
  const lookup: LookupFunction = (_name, { all }, callback) => {
    if (all) return callback(null, [...addresses])
    const [first] = addresses
    callback(null, first?.address ?? '', first?.family)
  }
  return new Client(url.origin, {
    // The signal also aborts connecting, which destroying the client would not.
    connect: { lookup, signal, timeout: timeoutMs, ...(secureContext && { secureContext }) },
    // One request gains nothing from HTTP/2, and these limits were tested on HTTP/1.1.
    allowH2: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Encoded size; the decoded body is limited as well.
    maxResponseSize: maxBytes,
    // The deadline of the whole exchange suffices.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}
