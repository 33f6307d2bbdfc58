import { type Context, implement, invalid, notFound, type ReadingDb } from '@icosa/kernel'
import { asList, created, itemReply, listed } from '../dialect/reply.ts'
import { momentOf } from '../shapes/moments.ts'
import { isAddress } from './addresses.ts'
import { credentials as contract } from './contract.ts'
import * as store from './store.ts'

const maxIps = 50

const toCredential = ({ id, description, ip, createdAt }: store.Credential) => ({
  id: Number(id),
  created: momentOf(createdAt),
  updated: momentOf(createdAt),
  status: 'ACTIVE',
  expiry_time: null,
  token_value: null,
  permitted_device: { description, ip },
})

const toIp = ({ inactiveIps }: store.Credential, ip: string, index: number) => ({
  id: index + 1,
  ip,
  status: inactiveIps.includes(ip) ? ('INACTIVE' as const) : ('ACTIVE' as const),
})

interface Params {
  readonly userID: string
  readonly 'credential-password-ipID': string
}

async function credentialOf(db: ReadingDb, tenant: string, params: Params, isLocked = false) {
  const id = params['credential-password-ipID']
  return (await store.findCredential(db, tenant, params.userID, id, { isLocked })) ?? notFound('credential', id)
}

/** Sets the address at an index, which may be that after the last one. */
async function setIp(
  { db, caller }: Context,
  { id, ips, inactiveIps }: store.Credential,
  index: number,
  { ip, status = 'ACTIVE' }: { readonly ip: string; readonly status?: 'ACTIVE' | 'INACTIVE' },
) {
  const at = 'body/ip'
  if (ip !== '*' && !isAddress(ip)) invalid([{ at, message: 'must be an IP address, or *' }])
  if (index >= maxIps) invalid([{ at, message: `a credential has at most ${maxIps} addresses` }])
  if (ips.some((other, nth) => other === ip && nth !== index)) invalid([{ at, message: 'is in the list already' }])
  const others = inactiveIps.filter((other) => other !== ips[index] && other !== ip)
  const changed = ips.toSpliced(index, 1, ip)
  await store.updateIps(db, caller.tenant, id, {
    ips: changed,
    inactiveIps: status === 'INACTIVE' ? [...others, ip] : others,
  })
  return created(index + 1)
}

export const credentials = implement(contract, {
  async listCredentials({ params, query }, { db, caller }) {
    const rows = await store.listCredentials(db, caller.tenant, params.userID, query)
    return listed('CredentialPasswordIp', query, rows, toCredential, ({ id }) => Number(id))
  },
  async getCredential({ params }, { db, caller }) {
    const credential = await store.findCredential(db, caller.tenant, params.userID, params.itemId)
    return itemReply('CredentialPasswordIp', toCredential(credential ?? notFound('credential', params.itemId)))
  },
  async listPermittedIps({ params }, { db, caller }) {
    const credential = await credentialOf(db, caller.tenant, params)
    return asList(
      'PermittedIp',
      credential.ips.map((ip, index) => toIp(credential, ip, index)),
    )
  },
  async createPermittedIp({ params, body }, context) {
    const credential = await credentialOf(context.db, context.caller.tenant, params, true)
    return setIp(context, credential, credential.ips.length, body)
  },
  async getPermittedIp({ params }, { db, caller }) {
    const credential = await credentialOf(db, caller.tenant, params)
    const index = Number(params.itemId) - 1
    return itemReply(
      'PermittedIp',
      toIp(credential, credential.ips[index] ?? notFound('address', params.itemId), index),
    )
  },
  async updatePermittedIp({ params, body }, context) {
    const credential = await credentialOf(context.db, context.caller.tenant, params, true)
    const index = Number(params.itemId) - 1
    if (credential.ips[index] === undefined) return notFound('address', params.itemId)
    return setIp(context, credential, index, body)
  },
})
