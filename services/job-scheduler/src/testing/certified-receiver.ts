import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface TestCertificate {
  readonly pem: string
  readonly key: string
  readonly x509: X509Certificate
  /** With the key, in base64, opened by `password`. */
  readonly pfx: string
  readonly password: string
}

/** Creates a self-signed certificate for 127.0.0.1, for servers and clients. */
export async function makeCertificate(name: string, exportOptions: readonly string[] = []): Promise<TestCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-certificate-'))
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const read = (file: string) => readFile(join(folder, file), 'utf8')
  try {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']
    const names = ['-subj', `/C=DE/O=Icosa/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '9000']
    await openssl('req', '-x509', ...key, ...names, '-out', 'cert.pem')
    const password = 'open sesame'
    const out = ['-passout', `pass:${password}`, '-out', 'both.pfx', ...exportOptions]
    await openssl('pkcs12', '-export', '-inkey', 'key.pem', '-in', 'cert.pem', ...out)
    const pem = await read('cert.pem')
    const pfx = (await readFile(join(folder, 'both.pfx'))).toString('base64')
    return { pem, key: await read('key.pem'), x509: new X509Certificate(pem), pfx, password }
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface CertifiedReceiver extends AsyncDisposable {
  readonly url: string
  /** Sender's thumbprint of each request. */
  readonly senders: readonly string[]
}

/** An https server that requires a client certificate. */
export async function startCertifiedReceiver(identity: TestCertificate, ca: string): Promise<CertifiedReceiver> {
  const senders: string[] = []
  const tls = { cert: identity.pem, key: identity.key, ca, requestCert: true, rejectUnauthorized: true }
  const server = createServer(tls, (request, response) => {
    const { fingerprint } = (request.socket as TLSSocket).getPeerCertificate() // an https server has no other sockets
    senders.push(fingerprint.replaceAll(':', ''))
    response.end('welcome')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    senders,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
