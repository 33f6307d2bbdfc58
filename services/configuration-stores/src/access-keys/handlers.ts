import { refuseToken } from '@icosa/dialects/arm/page'
import { Failure, implement, ok, type Resource, type Vault } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { type ConfigurationStoresSettings, endpointOf } from '../settings.ts'
import { missing } from '../stores/handlers.ts'
import type { Parts } from '../stores/lifecycle.ts'
import * as stores from '../stores/store.ts'
import { type ApiKey, accessKeys as contract } from './contract.ts'
import { newSecret, openSecret } from './secrets.ts'
import * as store from './store.ts'

export function accessKeys({ settings }: Pick<Parts, 'settings'>): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async listKeys({ params, query }, { db, caller, tenantVault }) {
      refuseToken(query.$skipToken)
      const owner = (await stores.find(db, caller.tenant, params)) ?? missing(params)
      const keys = await store.list(db, owner)
      const vault = await tenantVault()
      return ok({ value: keys.map((key) => toApiKey(key, owner, settings, vault)) })
    },

    async regenerateKey({ params, body }, { db, caller, clock, tenantVault, runtime }) {
      const owner = (await stores.find(db, caller.tenant, params)) ?? missing(params)
      const { id } = body
      if (id === undefined)
        throw new Failure('invalid', 'body/id is required: set it to the id of a key, as ListKeys shows it.')
      const vault = await tenantVault()
      const secret = newSecret(vault, owner.id, id)
      const key = (await store.replaceSecret(db, owner, id, secret, clock.now())) ?? noKey(id)
      runtime.directory.forget(owner.configStoreName)
      return ok(toApiKey(key, owner, settings, vault))
    },
  })
}

function toApiKey(key: store.Row, owner: stores.Row, settings: ConfigurationStoresSettings, vault: Vault): ApiKey {
  const { id, name, readOnly, modifiedAt } = key
  const value = openSecret(vault, owner.id, key)
  return {
    id,
    name,
    value,
    connectionString: `Endpoint=${endpointOf(settings, owner.configStoreName)};Id=${id};Secret=${value}`,
    lastModified: modifiedAt.toISOString(),
    readOnly,
  }
}

function noKey(id: string): never {
  throw new Failure('notFound', `The store has no key '${id}': ListKeys shows the keys that it has.`, {
    code: 'KeyNotFound',
  })
}
