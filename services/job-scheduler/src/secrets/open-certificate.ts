import { PassThrough } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { SecretCertificate } from './secrets.ts'

/** What the process below answers. */
export type Opened =
  | {
      readonly certificateThumbprint: string
      readonly certificateSubjectName: string
      readonly certificateExpirationDate: string
      readonly cpuMs: number
    }
  | { readonly reason: string }

// A process of its own that opens one certificate and ends: see certificate.ts.
process.once('message', (certificate: SecretCertificate) => {
  process.send?.(opened(certificate), () => process.disconnect())
})

function opened({ pfx, password }: SecretCertificate): Opened {
  createSecureContext() // the first one reads the public authorities, which is not the certificate's fault
  const before = process.cpuUsage()
  try {
    const secureContext = createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase: password })
    const { user, system } = process.cpuUsage(before)
    // Node shows the certificate of a context only through a connection; this one leads nowhere.
    const socket = new TLSSocket(new PassThrough(), { secureContext })
    const certificate = socket.getX509Certificate()
    if (certificate === undefined) return { reason: 'no certificate in it' }
    return {
      certificateThumbprint: certificate.fingerprint.replaceAll(':', ''),
      // Names are written from the outside in, and shown the other way round.
      certificateSubjectName: certificate.subject.split('\n').reverse().join(', '),
      certificateExpirationDate: certificate.validToDate.toISOString(),
      cpuMs: (user + system) / 1000,
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'unknown error' }
  }
}
