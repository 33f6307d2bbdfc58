import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, client } from '@icosa/client'
import { startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { keys, modules, pin, uses } from '../contract.ts'
import { type HsmSettings, hardwareSecurityModules } from '../index.ts'
import { serviceName, skuName, versions } from '../names.ts'

const contract = { ...keys, listUses: uses.list, replacePin: pin.replace }

export interface OpenedModule {
  readonly id: string
  readonly params: ModuleParams
  readonly keys: Client<typeof contract>
  /** A client that authenticates by PIN. */
  byPin(pin: string): Client<typeof contract>
}

export interface HsmApp extends AsyncDisposable {
  readonly app: TestApp
  /** Folder of open tokens. */
  readonly folder: string
  readonly settings: Partial<HsmSettings>
  manager(tenant?: string, permissions?: readonly string[]): Promise<Client<typeof modules>>
  /** Creates a module. */
  open(name: string, tenant?: string): Promise<OpenedModule>
  /** Returns a client of the data plane. */
  keysOf(tenant: string, permissions?: readonly string[]): Promise<Client<typeof contract>>
  addressOf(id: string): string
}

export interface ModuleParams {
  readonly subscriptionId: string
  readonly resourceGroupName: string
  readonly name: string
}

export const paramsOf = (tenant: string, name: string): ModuleParams => ({
  subscriptionId: `sub-of-${tenant}`,
  resourceGroupName: 'tests',
  name,
})

/** The API version of every request. */
export const versioned = { query: { 'api-version': versions[0] } }

export const plain = { location: 'westus', sku: { name: skuName }, properties: {} } as const

export const newFolder = () => mkdtempSync(join(tmpdir(), 'icosa-hsm-test-'))

export async function startModules(
  overrides: Partial<HsmSettings> = {},
  options: Partial<TestAppOptions> = {},
): Promise<HsmApp> {
  const folder = overrides.folder ?? newFolder()
  const settings = { ...overrides, folder }
  const app = await startTestApp({ services: [hardwareSecurityModules(settings)], ...options })
  const addressOf = (id: string) => `${app.url}/${serviceName}/modules/${id}`

  async function keysOf(tenant: string, permissions?: readonly string[]) {
    const authorization = `Bearer ${await app.key(tenant, permissions)}`
    return client(contract, { baseUrl: `${app.url}/${serviceName}`, headers: { authorization } })
  }
  async function manager(tenant = 'acme', permissions?: readonly string[]) {
    const authorization = `Bearer ${await app.key(tenant, permissions)}`
    return client(modules, { baseUrl: `${app.url}/${serviceName}`, headers: { authorization }, ...versioned })
  }

  return {
    app,
    folder,
    settings,
    manager,
    keysOf,
    addressOf,
    async open(name, tenant = 'acme') {
      const params = paramsOf(tenant, name)
      const own = await manager(tenant)
      await own.createOrUpdate({ ...versioned, params, body: plain })
      await app.jobs.drain()
      const { body } = await own.get({ ...versioned, params })
      if (body.properties.provisioningState !== 'Succeeded') throw new Error(body.properties.statusMessage)
      const id = body.properties.endpoint?.split('/').at(-1) ?? ''
      const byPin = (pin: string) =>
        client(contract, {
          baseUrl: `${app.url}/${serviceName}`,
          headers: { authorization: `Basic ${Buffer.from(`app:${pin}`).toString('base64')}` },
        })
      return { id, params, keys: await keysOf(tenant), byPin }
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}
