import { created, Failure, implement, noContent, notFound, ok, withPreparation } from '@icosa/kernel'
import { clients as contract } from './contract.ts'
import { entryOf, registryId } from './entry.ts'
import { completed, hashOfSecret, type Metadata, newClientId, newSecret, toClient } from './metadata.ts'
import { removeClient } from './removal.ts'
import * as store from './store.ts'

/** All clients of a tenant fit into one response. */
const maxClients = 1000

const hasSecret = ({ token_endpoint_auth_method }: Metadata) => token_endpoint_auth_method !== 'none'

const loadRules = () => import('./registration-rules.ts')

export const clients = implement(contract, {
  async client(_, { db, caller }) {
    return ok((await store.list(db, caller.tenant, maxClients)).map((row) => toClient(row)))
  },

  createClient: withPreparation(loadRules, async ({ body }, { db, caller, clock, resources }, rules) => {
    if ((await store.count(db, caller.tenant)) >= maxClients)
      throw new Failure('conflict', `There are already ${maxClients} clients: delete one first.`)
    const metadata = completed(body, rules)
    const secret = hasSecret(metadata) ? newSecret() : undefined
    const row: store.ClientRow = {
      id: newClientId(),
      tenant: caller.tenant,
      secretHash: secret === undefined ? null : hashOfSecret(secret),
      metadata,
      createdAt: clock.now(),
    }
    await store.insert(db, row)
    await resources.put(entryOf(row))
    return created(toClient(row, secret), { location: `client/${row.id}` })
  }),

  async getClient({ params }, { db, caller }) {
    return ok(toClient((await store.find(db, caller.tenant, params.client_id)) ?? notFound('client', params.client_id)))
  },

  updateClient: withPreparation(loadRules, async ({ params, body }, { db, caller, resources }, rules) => {
    const current = (await store.find(db, caller.tenant, params.client_id)) ?? notFound('client', params.client_id)
    const { token_endpoint_auth_method } = current.metadata
    const metadata = completed({ ...(token_endpoint_auth_method && { token_endpoint_auth_method }), ...body }, rules)
    if (hasSecret(metadata) !== (current.secretHash !== null))
      throw new Failure('conflict', 'A client cannot gain or lose its secret: register another one.')
    const row = await store.update(db, caller.tenant, params.client_id, { metadata, secretHash: current.secretHash })
    const updated = row ?? notFound('client', params.client_id)
    await resources.put(entryOf(updated))
    return ok(toClient(updated))
  }),

  async rotateClientSecret({ params: { client_id: id } }, { db, caller }) {
    const { metadata, secretHash } = (await store.find(db, caller.tenant, id)) ?? notFound('client', id)
    if (secretHash === null) throw new Failure('conflict', 'The client has no secret: it is public.')
    const secret = newSecret()
    const row = await store.update(db, caller.tenant, id, { metadata, secretHash: hashOfSecret(secret) })
    return ok(toClient(row ?? notFound('client', id), secret))
  },

  async deleteClient({ params }, { db, caller, resources }) {
    if (!(await removeClient(db, caller.tenant, params.client_id))) notFound('client', params.client_id)
    await resources.remove(registryId(params.client_id))
    return noContent()
  },
})
