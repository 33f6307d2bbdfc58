import { PassThrough } from 'node:stream'
import { json } from 'node:stream/consumers'
import { createSecureContext, TLSSocket } from 'node:tls'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type Opened, tooSlow } from './opened.ts'
import type { SecretCertificate } from './secrets.ts'

/** CPU time after which opening is abandoned, including the start of the thread. */
const maxCpuMs = 1_000
const pollMs = 50

// A separate process that opens one certificate: see certificate.ts. Opening is a single uninterruptible call, so it runs
// on a thread, while this one polls the CPU time.
if (isMainThread) {
  const certificate = (await json(process.stdin)) as SecretCertificate
  const startUsage = process.cpuUsage()
  const thread = new Worker(new URL(import.meta.url), { workerData: certificate })
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(startUsage)
    if ((user + system) / 1000 >= maxCpuMs) process.kill(process.pid, tooSlow) // an exit would wait for the thread
  }, pollMs)
  thread.once('message', (result: Opened) => {
    clearInterval(timer)
    process.stdout.write(JSON.stringify(result))
  })
} else parentPort?.postMessage(openCertificate(workerData))

function openCertificate({ pfx, password }: SecretCertificate): Opened {
  createSecureContext() // the first call loads the public authorities, which must not count
  const usage = process.threadCpuUsage()
  try {
    const secureContext = createSecureContext({ pfx: Buffer.from(pfx, 'base64'), passphrase: password })
    const { user, system } = process.threadCpuUsage(usage)
    // Node exposes a context's certificate only through a connection, here a fake one.
    const socket = new TLSSocket(new PassThrough(), { secureContext })
    const certificate = socket.getX509Certificate()
    if (certificate === undefined) return { reason: 'it contains no certificate' }
    return {
      certificateThumbprint: certificate.fingerprint.replaceAll(':', ''),
      // Node lists the most general part first; the API shows it last.
      certificateSubjectName: certificate.subject.split('\n').reverse().join(', '),
      certificateExpirationDate: certificate.validToDate.toISOString(),
      cpuMs: (user + system) / 1000,
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : 'unknown error' }
  }
}
