import { randomBytes } from 'node:crypto'
import {
  accepted,
  type Caller,
  created,
  createKey,
  createSigningSecret,
  Failure,
  implement,
  noContent,
  notFound,
  ok,
  operatorService,
  permissionsOf,
  revokeCredential,
  systemClock,
  withPreparation,
} from '@icosa/kernel'
import { ensureSigningKeys, issueToken } from '@icosa/tokens'
import { type LimitKind, setLimit } from '../../limits/index.ts'
import { refuseLocked } from '../../tenants/delete.ts'
import { limitsOf, listTenants } from '../../tenants/store.ts'
import { operatorContract } from '../contract.ts'
import type { OperatorRuntime } from '../runtime.ts'
import { resourceOf } from '../store.ts'
import { changesContract as contract } from './contract.ts'
import { countBytes, deleteTenant } from './jobs.ts'
import { recordChange } from './record.ts'

const ownPermissions = Object.keys({ ...operatorContract, ...contract }).map((id) => `${operatorService}:${id}`)

/** Refuses permissions of operators that the caller does not have. */
function refuseGranting(permissions: readonly string[], mayGrant: Caller['allows']): void {
  const grants = permissionsOf(permissions)
  const refused = ownPermissions.find((permission) => grants(permission) && !mayGrant(permission))
  if (refused) throw new Failure('forbidden', `The permission ${refused} cannot be granted here: you do not have it.`)
}

const defaultMinutes = 15
/** Issuer of tokens that no identity service has issued. */
const issuer = 'urn:icosa:operator'

export const changesHandlers = implement<typeof contract, OperatorRuntime>(contract, {
  async createKey({ params: { tenant }, body }, { db, clock, cellVault, caller }) {
    const { name = '', permissions, kind = 'key', expiresAt } = body
    refuseGranting(permissions, caller.allows)
    const fields = { tenant, name, permissions, ...(expiresAt !== undefined && { expiresAt }) }
    const credential = { ...fields, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) }
    const issued =
      kind === 'key'
        ? await createKey(db, clock, credential)
        : await createSigningSecret(db, clock, cellVault, credential)
    const { id } = issued
    const secret = 'key' in issued ? issued.key : issued.secret
    const resource = `${id} ${kind} ${permissions.join(',')} ${name}`
    const change = { operation: 'createKey', caller: caller.id, subject: tenant, resource, status: 201 }
    await recordChange(db, { clock, cellVault }, change)
    return created({ ...fields, id, kind, createdAt: clock.now().toISOString(), secret })
  },

  async revokeKey({ params: { keyId } }, { db, clock, cellVault, caller }) {
    if (keyId === caller.id) throw new Failure('conflict', 'This is the key that you use: revoke it with another one.')
    const subject = await revokeCredential(db, clock, keyId)
    const change = { operation: 'revokeKey', caller: caller.id, subject, resource: keyId, status: 204 }
    await recordChange(db, { clock, cellVault }, change)
    return noContent()
  },

  async setLimit({ params: { tenant, service, kind }, body: { amount } }, { db, clock, cellVault, caller, jobs }) {
    if ((await listTenants(db, tenant)).length === 0) notFound('tenant', tenant)
    await setLimit(db, { tenant, service, kind: kind as LimitKind, amount })
    if (kind === 'bytes') await jobs.enqueue(countBytes, { tenant, service }, { key: `${tenant} ${service}` })
    const resource = `${service} ${kind} ${amount}`
    const change = { operation: 'setLimit', caller: caller.id, subject: tenant, resource, status: 200 }
    await recordChange(db, { clock, cellVault }, change)
    const limits = await limitsOf(db, tenant)
    const { used, ...limit } =
      limits.find((one) => one.service === service && one.kind === kind) ?? notFound('limit', `${service} ${kind}`)
    return ok({ ...limit, ...(used !== null && { used }) })
  },

  async removeLimit({ params: { tenant, service, kind } }, { db, clock, cellVault, caller }) {
    const limits = await limitsOf(db, tenant)
    if (!limits.some((limit) => limit.service === service && limit.kind === kind))
      notFound('limit', `${service} ${kind}`)
    await setLimit(db, { tenant, service, kind: kind as LimitKind, amount: undefined })
    const resource = `${service} ${kind}`
    const change = { operation: 'removeLimit', caller: caller.id, subject: tenant, resource, status: 204 }
    await recordChange(db, { clock, cellVault }, change)
    return noContent()
  },

  assumeRole: withPreparation(
    async (_, { clock, cellVault, runtime: { database } }) => ensureSigningKeys(database, clock, cellVault),
    async ({ params: { tenant }, body }, { db, clock, cellVault, caller }) => {
      const { reason, permissions, minutes = defaultMinutes } = body
      refuseGranting(permissions, () => false)
      if ((await listTenants(db, tenant)).length === 0) notFound('tenant', tenant)
      const who = `operator ${caller.id} ${randomBytes(4).toString('hex')}`
      const lifetimeMs = minutes * 60_000
      const expiresAt = new Date(systemClock.now().getTime() + lifetimeMs).toISOString() // verifiers have real clocks
      const secretToken = await issueToken(db, clock, cellVault, {
        subject: who,
        tenant,
        permissions,
        lifetimeMs,
        issuer,
      })
      const resource = `${who}, ${minutes} minutes, ${permissions.join(',')}: ${reason}`
      const change = { operation: 'assumeRole', caller: caller.id, subject: tenant, resource, status: 201 }
      await recordChange(db, { clock, cellVault }, change)
      return created({ who, tenant, permissions, expiresAt, secretToken })
    },
  ),

  // Locks are those of services, whose tables may be slow to read.
  deleteTenant: withPreparation(
    async ({ params: { tenant } }, { clock, caller, runtime }) => {
      if (tenant === caller.tenant)
        throw new Failure('conflict', 'This is your own tenant: an operator of another one can delete it.')
      await refuseLocked(tenant, { database: runtime.database, clock, services: await runtime.tenancies() })
    },
    async ({ params: { tenant } }, { db, clock, cellVault, caller, operations }) => {
      const input = { tenant, caller: caller.id }
      const started = await operations.start(deleteTenant, input, { resource: resourceOf(tenant) })
      const change = { operation: 'deleteTenant', caller: caller.id, subject: tenant, resource: tenant, status: 102 }
      await recordChange(db, { clock, cellVault }, change)
      return accepted({ tenant, state: 'Deleting' as const }, started)
    },
  ),
})
