import { Failure, implement, notFound, ok, type ReadingDb, type Vault } from '@icosa/kernel'
import { created, emptyReply, itemReply, listed } from '../dialect/reply.ts'
import type { Stored } from '../documents/store.ts'
import { momentOf } from '../shapes/moments.ts'
import { findUser } from '../users/store.ts'
import { type ClientBody, clientIdOf, clientSecretOf, clients, callbackUrls as urls } from './applications.ts'
import { oauth as contract } from './contract.ts'
import { exchange, grants } from './grants.ts'

const stamps = ({ id, createdAt, updatedAt }: Stored<unknown>) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(updatedAt),
})
const toUrl = (row: Stored<{ readonly url: string }>) => ({ ...stamps(row), url: row.body.url })

async function toClient(db: ReadingDb, vault: Vault, tenant: string, client: Stored<ClientBody>) {
  const clientId = clientIdOf(vault, tenant, client.id)
  const callbacks = await urls.list(db, tenant, { user: client.user, parent: client.id })
  return {
    ...stamps(client),
    status: client.status,
    display_name: client.body.name,
    client_id: clientId,
    secret: clientSecretOf(vault, clientId),
    callback_url: callbacks.map(toUrl),
  }
}

async function clientOf(db: ReadingDb, tenant: string, user: string, id: string): Promise<Stored<ClientBody>> {
  return (await clients.find(db, tenant, { user }, id)) ?? notFound('OAuth client', id)
}

interface UrlParams {
  readonly userID: string
  readonly 'oauth-clientID': string
}

async function placeOfUrls(db: ReadingDb, tenant: string, params: UrlParams) {
  const { id } = await clientOf(db, tenant, params.userID, params['oauth-clientID'])
  return { user: params.userID, parent: id }
}

async function urlOf(db: ReadingDb, tenant: string, params: UrlParams & { readonly itemId: string }) {
  const place = await placeOfUrls(db, tenant, params)
  return (await urls.find(db, tenant, place, params.itemId)) ?? notFound('callback URL', params.itemId)
}

export const oauth = implement(contract, {
  async createOauthClient({ params, body }, { db, caller, clock }) {
    const user = (await findUser(db, caller.tenant, params.userID)) ?? notFound('user', params.userID)
    const row = { status: body.status ?? 'ACTIVE', body: { name: user.displayName }, at: clock.now() }
    return created(await clients.insert(db, caller.tenant, { user: params.userID }, row))
  },
  async listOauthClients({ params, query }, { db, caller, tenantVault }) {
    const rows = await clients.list(db, caller.tenant, { user: params.userID }, query)
    const vault = await tenantVault()
    const views = await Promise.all(rows.map((row) => toClient(db, vault, caller.tenant, row)))
    return listed(
      'OauthClient',
      query,
      views,
      (view) => view,
      ({ id }) => id,
    )
  },
  async getOauthClient({ params }, { db, caller, tenantVault }) {
    const client = await clientOf(db, caller.tenant, params.userID, params.itemId)
    return itemReply('OauthClient', await toClient(db, await tenantVault(), caller.tenant, client))
  },
  async updateOauthClient({ params, body }, { db, caller, clock }) {
    const { id } = await clientOf(db, caller.tenant, params.userID, params.itemId)
    await clients.update(db, caller.tenant, id, { status: body.status, at: clock.now() })
    return created(id)
  },

  async createCallbackUrl({ params, body }, { db, caller, clock }) {
    const place = await placeOfUrls(db, caller.tenant, params)
    return created(await urls.insert(db, caller.tenant, place, { status: 'ACTIVE', body, at: clock.now() }))
  },
  async listCallbackUrls({ params, query }, { db, caller }) {
    const place = await placeOfUrls(db, caller.tenant, params)
    const rows = await urls.list(db, caller.tenant, place, query)
    return listed('OauthCallbackUrl', query, rows, toUrl, ({ id }) => Number(id))
  },
  async getCallbackUrl({ params }, { db, caller }) {
    return itemReply('OauthCallbackUrl', toUrl(await urlOf(db, caller.tenant, params)))
  },
  async updateCallbackUrl({ params, body }, { db, caller, clock }) {
    const { id } = await urlOf(db, caller.tenant, params)
    await urls.update(db, caller.tenant, id, { body, at: clock.now() })
    return created(id)
  },
  async deleteCallbackUrl({ params }, { db, caller }) {
    const place = await placeOfUrls(db, caller.tenant, params)
    if (!(await urls.remove(db, caller.tenant, place, params.itemId))) notFound('callback URL', params.itemId)
    return emptyReply()
  },

  async createOauthToken({ query: { grant_type, ...request } }, { db, clock, cellVault }) {
    if (grant_type !== 'authorization_code') throw new Failure('invalid', 'grant_type must be authorization_code.')
    const { token, state } = await exchange({ db, cellVault, now: clock.now() }, request)
    return ok({ access_token: token, token_type: 'bearer', state })
  },
  async listOauthGrants({ params, query }, { db, caller }) {
    const rows = await grants.listOfUser(db, caller.tenant, params.userID)
    const applications = await Promise.all(
      rows.map(({ parent }) => clients.findAny(db, caller.tenant, parent as string)),
    )
    const views = rows.map((row, nth) => ({
      ...stamps(row),
      status: row.status,
      display_name: applications[nth]?.body.name ?? '',
    }))
    return listed(
      'OauthGrant',
      query,
      views.filter(({ status }) => status === 'ACTIVE'),
      (view) => view,
      ({ id }) => id,
    )
  },
  async deleteOauthGrant({ params }, { db, caller, clock }) {
    const grant = await grants.findAny(db, caller.tenant, params.itemId)
    if (grant?.user !== params.userID || grant.status === 'REVOKED') notFound('consent', params.itemId)
    await grants.update(db, caller.tenant, params.itemId, { status: 'REVOKED', at: clock.now() })
    return emptyReply()
  },
})
