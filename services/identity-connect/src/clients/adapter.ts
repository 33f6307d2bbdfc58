import { timingSafeEqual } from 'node:crypto'
import { expiringCache, type Platform } from '@icosa/kernel'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import type { ReplayedRequest } from '../provider/exchange/replayed-request.ts'
import { forProvider, hashOfSecret } from './metadata.ts'
import * as store from './store.ts'
import { isTestRedirect } from './test-mode.ts'

/** Platform keys are machine clients: their secret is the key itself. */
const isKey = (id: string) => id.startsWith('key_')

const machineClient = (id: string) => ({
  client_id: id,
  client_secret: 'compared by the platform',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  response_types: [],
})

/** Like key lookups. */
const cachedMs = 1_000
const cacheLimit = 10_000

/** Read-only: clients are written by our own operations. */
export function clientAdapter({ database }: Platform): Adapter {
  const clients = expiringCache<AdapterPayload | undefined>({
    name: 'identity-connect clients',
    forMs: cachedMs,
    limit: cacheLimit,
    keep: (client) => client !== undefined,
    async find(id) {
      const row = await store.findById(database, id)
      return row && { ...forProvider(row), tenant: row.tenant }
    },
  })
  const readOnly = async () => {
    throw new Error('Clients are registered through the operations on /client.')
  }
  return {
    find: async (id) => (isKey(id) ? machineClient(id) : clients.get(id)),
    upsert: readOnly,
    destroy: readOnly,
    consume: readOnly,
    revokeByGrantId: readOnly,
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
  }
}

/** Extends the library's clients with hashed secrets and test mode. */
export function extendClients(provider: Provider, { credentials }: Platform): void {
  const { prototype } = provider.Client
  const isRegistered = prototype.redirectUriAllowed

  prototype.redirectUriAllowed = function (uri) {
    return isRegistered.call(this, uri) || (this.test_mode === true && isTestRedirect(uri))
  }

  prototype.compareClientSecret = async function (secret) {
    const tenant = (Provider.ctx?.req as unknown as ReplayedRequest | undefined)?.tenant
    if (isKey(this.clientId)) {
      const caller = await credentials.byKey(secret)
      return caller?.id === this.clientId && (tenant === undefined || tenant === caller.tenant)
    }
    if (tenant !== undefined && tenant !== this.tenant) return false
    const expected = Buffer.from(this.clientSecret ?? '', 'base64url')
    const actual = hashOfSecret(secret)
    return expected.length === actual.length && timingSafeEqual(expected, actual)
  }
}
