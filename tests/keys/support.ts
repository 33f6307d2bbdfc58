import { client } from '@icosa/client'
import { configurationStores } from '@icosa/configuration-stores'
import { hardwareSecurityModules } from '@icosa/hardware-security-modules'
import * as contract from '@icosa/hardware-security-modules/contract'
import { raw, sql } from '@icosa/kernel'
import type { TestApp, TestAppOptions } from '@icosa/testing'
import { startStores, versioned } from '../../services/configuration-stores/src/testing/app.ts'
import * as hsm from '../../services/hardware-security-modules/src/testing/app.ts'

const operations = { ...contract.keys, listUses: contract.uses.list }

/** How long a node caches a key in these tests. */
export const keySeconds = 1

/** Starts configuration stores and hardware security modules on one node. */
export async function startBoth(options: Partial<TestAppOptions> = {}) {
  const folder = hsm.newFolder()
  const services = [configurationStores({ keySeconds }), hardwareSecurityModules({ folder })]
  const world = await startStores({ services, ...options })
  return {
    ...world,
    folder,
    services,
    openModule: (name: string, tenant = 'acme') => openModule(world.app, name, tenant),
  }
}
export type Both = Awaited<ReturnType<typeof startBoth>>

export async function openModule(app: TestApp, name: string, tenant = 'acme') {
  const headers = { authorization: `Bearer ${await app.key(tenant)}` }
  const target = { baseUrl: `${app.url}/hardware-security-modules`, headers }
  const modules = client(contract.modules, { ...target, ...hsm.versioned })
  const params = hsm.paramsOf(tenant, name)
  await modules.createOrUpdate({ ...hsm.versioned, params, body: hsm.plain })
  await app.jobs.drain()
  const { endpoint = '' } = (await modules.get({ ...hsm.versioned, params })).body.properties
  const keys = client(operations, target)
  const moduleId = endpoint.split('/').at(-1) ?? ''
  return {
    moduleId,
    modules,
    params,
    keys,
    /** Creates a key and returns its URL. */
    async make(keyName: string, body: object = { type: 'AES' }): Promise<string> {
      await keys.make({ params: { moduleId, keyName }, body: body as never })
      return `${endpoint}/keys/${keyName}`
    },
    setAccess: (keyName: string, access: readonly { caller: string; operations: string[] }[]) =>
      keys.update({ params: { moduleId, keyName }, body: { access: access as never } }),
    remove: (keyName: string) => keys.delete({ params: { moduleId, keyName } }),
    uses: async () => (await keys.listUses({ params: { moduleId } })).body.value,
  }
}

type Opened = Awaited<ReturnType<Both['open']>>

/** Sets or removes the key of a store, and waits until that is done. */
export async function setKey({ app }: Pick<Both, 'app'>, { manager, params }: Opened, keyIdentifier: string | null) {
  const keyVaultProperties = keyIdentifier === null ? null : { keyIdentifier }
  const answer = await manager.stores.update({
    ...versioned,
    params,
    body: { properties: { encryption: { keyVaultProperties } } },
  })
  await app.jobs.drain()
  return answer
}

export const encryptionOf = async ({ manager, params }: Opened) => {
  const { properties } = (await manager.stores.get({ ...versioned, params })).body
  return { state: properties?.provisioningState, ...properties?.encryption?.keyVaultProperties }
}

/** Counts of plaintext and encrypted rows in each table. */
export async function rowsOf({ app }: Pick<Both, 'app'>) {
  const count = async (table: string) => {
    const { clear, encrypted } = await app.platform.database.one<{ clear: number; encrypted: number }>(sql`
      select count(*) filter (where content is null)::int as clear,
        count(*) filter (where content is not null and value is null and content_type is null)::int as encrypted
      from ${raw(`configuration_stores.${table}`)}`)
    return [clear, encrypted]
  }
  return { revisions: await count('revisions'), items: await count('snapshot_items') }
}

/** Whether any row of the service contains a text. */
export async function isInClear({ app }: Pick<Both, 'app'>, text: string): Promise<boolean> {
  const row = await app.platform.database.one<{ found: boolean }>(sql`
    select exists (select from configuration_stores.revisions r where position(${text} in r::text) > 0)
      or exists (select from configuration_stores.snapshot_items i where position(${text} in i::text) > 0) as found`)
  return row.found
}
