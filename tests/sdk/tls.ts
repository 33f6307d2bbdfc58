import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Service } from '@icosa/kernel'
import { freePort, startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { authorityFile, localTls } from '../../apps/server/src/dev/tls.ts'

/** Schemes that `icosa dev --tls` serves on its one port. */
export const schemes = ['http', 'https'] as const
export type Scheme = (typeof schemes)[number]

export interface SdkApp extends AsyncDisposable {
  readonly app: TestApp
  at(scheme: Scheme): string
}

/** Starts services and workers over HTTP and TLS; this process trusts the CA as by NODE_EXTRA_CA_CERTS. */
export async function startSdkApp(
  servicesAt: (url: string) => readonly Service[],
  options: Partial<TestAppOptions> = {},
): Promise<SdkApp> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-sdk-'))
  const tls = await localTls(folder)
  setDefaultCACertificates([...getCACertificates('default'), await readFile(authorityFile(folder), 'utf8')])
  const worker = { concurrency: 16, background: true }
  const port = await freePort() // must be known before, since URLs of data planes are settings of a service
  const at = (scheme: Scheme) => `${scheme}://localhost:${port}`
  const services = servicesAt(at('https'))
  const app = await startTestApp({ services, tls, worker, api: { host: '127.0.0.1', port }, ...options })
  return {
    app,
    at,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
