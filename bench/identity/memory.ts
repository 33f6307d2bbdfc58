/** Plain oidc-provider with everything in memory, as the baseline of our token endpoint. */
import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider'
import { clientId, mint, redirectUri, serveCodes } from './mint.ts'

/** The library's own adapter keeps only the last thousand entries. */
class Memory implements Adapter {
  static readonly entries = new Map<string, AdapterPayload>()
  readonly #model: string

  constructor(model: string) {
    this.#model = model
  }
  async upsert(id: string, payload: AdapterPayload) {
    Memory.entries.set(this.#model + id, payload)
  }
  async find(id: string) {
    return Memory.entries.get(this.#model + id)
  }
  async findByUid() {
    return undefined
  }
  async findByUserCode() {
    return undefined
  }
  async consume(id: string) {
    const found = Memory.entries.get(this.#model + id)
    if (found) found.consumed = 1
  }
  async destroy(id: string) {
    Memory.entries.delete(this.#model + id)
  }
  async revokeByGrantId() {}
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const key = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }
const secret = 'a secret of some length, as it should be'
const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(address, {
  adapter: Memory,
  jwks: { keys: [key as never] },
  clients: [{ client_id: clientId, client_secret: secret, redirect_uris: [redirectUri] }],
  cookies: { keys: ['bench'] },
  features: { devInteractions: { enabled: false } },
  ttl: { AuthorizationCode: 600, AccessToken: 3600, IdToken: 3600, Grant: 3600 },
  pkce: { required: () => false },
  findAccount: async (_, id) => ({ accountId: id, claims: async () => ({ sub: id, email: 'ada@example.com' }) }),
})
server.on('request', provider.callback())
serveCodes(`${address}/token`, { id: clientId, secret }, (count) => mint(provider, 'ada', clientId, count))
