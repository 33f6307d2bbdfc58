import { createSecureContext, type SecureContext } from 'node:tls'
import { Failure, type OutboundRequest } from '@icosa/kernel'

/** TLS context with a client certificate. Authorities in the file are trusted on this connection as well. */
export function certified(
  url: URL,
  { pfx, passphrase }: NonNullable<OutboundRequest['clientCertificate']>,
): SecureContext {
  if (url.protocol !== 'https:') {
    throw new Failure(
      'invalid',
      `A client certificate cannot be sent to '${url.host}' without TLS: write https instead of http.`,
    )
  }
  try {
    return createSecureContext({ pfx: Buffer.from(pfx), passphrase })
  } catch (cause) {
    throw new Failure(
      'invalid',
      `The client certificate for '${url.host}' cannot be opened: check its passphrase, and that it is a PKCS#12 ` +
        'file with a certificate and its key in modern ciphers.',
      { cause },
    )
  }
}
