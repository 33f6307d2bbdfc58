import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ClientSecretCredential } from '@azure/identity'
import { identityConnect } from '@icosa/identity-connect'
import { createKey, type Service } from '@icosa/kernel'
import { freePort, startTestApp, type TestApp } from '@icosa/testing'
import { authorityFile, localTls } from '../../apps/server/src/dev/tls.ts'

export interface SdkPlatform extends AsyncDisposable {
  readonly app: TestApp
  /** Over TLS, as SDKs insist on; this process trusts the authority. */
  readonly url: string
  readonly tenant: string
  /** The SDKs' own credential: a key of the tenant against our token endpoint. */
  readonly credential: ClientSecretCredential
}

/** Services with the identity service beside them, and workers that run: what an SDK meets in production. */
export async function startSdkPlatform(servicesAt: (url: string) => readonly Service[]): Promise<SdkPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-sdk-'))
  const tls = await localTls(folder)
  setDefaultCACertificates([...getCACertificates('default'), await readFile(authorityFile(folder), 'utf8')])
  const worker = { concurrency: 16, background: true }
  const port = await freePort() // addresses of data planes are part of a service's settings: it must be known before
  const url = `https://localhost:${port}`
  const services = [identityConnect(), ...servicesAt(url)]
  const app = await startTestApp({ services, tls, worker, api: { host: '127.0.0.1', port } })
  const tenant = 'acme'
  const { database, clock } = app.platform
  const { id, key } = await createKey(database, clock, { tenant, name: 'sdk', permissions: ['*'] })
  return {
    app,
    url,
    tenant,
    credential: new ClientSecretCredential(tenant, id, key, { authorityHost: url, disableInstanceDiscovery: true }),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
