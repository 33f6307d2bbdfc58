import { PassThrough } from 'node:stream'
import { json } from 'node:stream/consumers'
import { createSecureContext, TLSSocket } from 'node:tls'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Opened, tooSlow } from './opened.ts'
import type { SecretCertificate } from './secrets.ts'

/** What a certificate may take of the processor before it is given up, with the start of the thread. */
const givenUpMs = 1_000
const lookEveryMs = 50

// A process of its own that opens one certificate and ends: see certificate.ts. The opening is a single call, which
// nothing interrupts; so a thread makes it, and this one looks at how much it takes.
if (isMainThread) {
  const certificate = (await json(process.stdin)) as SecretCertificate
  const begun = process.cpuUsage()
  const opening = new Worker(new URL(import.meta.url), { workerData: certificate })
  const looking = setInterval(() => {
    const { user, system } = process.cpuUsage(begun)
    if ((user + system) / 1000 >= givenUpMs) process.kill(process.pid, tooSlow) // an exit would wait for the thread
  }, lookEveryMs)
  opening.once('message', (answer: Opened) => {
    clearInterval(looking)
    process.stdout.write(JSON.stringify(answer))
  })
} else parentPort?.postMessage(opened(workerData))

function opened({ pfx, password }: SecretCertificate): Opened {
  createSecureContext() // the first one reads the public authorities, which is not the certificate's fault
  const before = process.threadCpuUsage()
  try {
    const secureContext = createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase: password })
    const { user, system } = process.threadCpuUsage(before)
    // Node shows the certificate of a context only through a connection; this one leads nowhere.
    const socket = new TLSSocket(new PassThrough(), { secureContext })
    const certificate = socket.getX509Certificate()
    if (certificate === undefined) return { reason: 'it contains no certificate' }
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
