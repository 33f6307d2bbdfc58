import { randomBytes, randomUUID } from 'node:crypto'
import { type Caller, type Context, Failure, implement, notFound, ok, type Resource } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { invalidRequest } from '../exceptions.ts'
import { airGappedVault, ordinaryVault } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { checkedTags } from '../shapes/tags.ts'
import { seconds } from '../shapes/time.ts'
import { unsupported } from '../unsupported.ts'
import { vaults as contract } from './contract.ts'
import { eraseVault } from './jobs.ts'
import { checkOrder, locked, refuseIfForever, unlocked } from './lock.ts'
import { checkPolicy, demandAllowed, demandOwnAccount } from './policy.ts'
import * as store from './store.ts'
import { entryOf, toVault, vaultArn } from './view.ts'

type Calling = Pick<Context, 'db'> & { readonly caller: Pick<Caller, 'tenant'> }

export function vaults(region: string): Resource<ServiceRuntime> {
  async function create(
    { db, caller, clock, tenantVault, resources }: Context<ServiceRuntime>,
    request: Pick<store.NewVault, 'name' | 'kind' | 'creatorRequestId' | 'tags' | 'minDays' | 'maxDays'>,
  ) {
    const { tenant } = caller
    const isAirGapped = request.kind === airGappedVault
    const id = randomUUID()
    const now = clock.now()
    const vault = await tenantVault()
    const password = vault.seal(randomBytes(32).toString('base64url'), store.passwordPlace(id))
    const lock = { locked: isAirGapped, lockAt: isAirGapped ? now : null }
    const inserted = await store.insert(db, { ...request, ...lock, tenant, id, password, createdAt: now })
    const row = inserted ?? (await existingForRetry(db, tenant, request))
    if (inserted) await resources.put(entryOf(region, row))
    return {
      BackupVaultName: row.name,
      BackupVaultArn: vaultArn(region, tenant, row.name),
      CreationDate: seconds(row.createdAt),
    }
  }

  /** Returns the existing vault to a retried request; any other request for that name is rejected. */
  async function existingForRetry(
    db: Context['db'],
    tenant: string,
    request: Pick<store.NewVault, 'name' | 'kind' | 'creatorRequestId'>,
  ) {
    const row = (await store.find(db, tenant, request.name)) ?? notFound('vault', request.name)
    if (row.kind === request.kind && row.creatorRequestId !== null && row.creatorRequestId === request.creatorRequestId)
      return row
    throw new Failure('alreadyExists', `A vault '${request.name}' already exists: choose another name.`, {
      members: { Arn: vaultArn(region, tenant, request.name), CreatorRequestId: row.creatorRequestId ?? '' },
    })
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    async CreateBackupVault({ params, body }, context) {
      if (body.EncryptionKeyArn !== undefined) notSupported(unsupported.encryptionKeys, 'EncryptionKeyArn')
      const tags = checkedTags(body.BackupVaultTags, 'body/BackupVaultTags')
      const creatorRequestId = body.CreatorRequestId ?? null
      const limits = { minDays: null, maxDays: null }
      return ok(
        await create(context, { name: params.backupVaultName, kind: ordinaryVault, creatorRequestId, tags, ...limits }),
      )
    },

    async CreateLogicallyAirGappedBackupVault({ params, body }, context) {
      const { MinRetentionDays: minDays, MaxRetentionDays: maxDays, CreatorRequestId: creatorRequestId = null } = body
      checkOrder(minDays, maxDays)
      const tags = checkedTags(body.BackupVaultTags, 'body/BackupVaultTags')
      const name = params.backupVaultName
      const created = await create(context, { name, kind: airGappedVault, creatorRequestId, tags, minDays, maxDays })
      return ok({ ...created, VaultState: 'AVAILABLE' as const })
    },

    async DescribeBackupVault({ params, query }, { db, caller }) {
      demandOwnAccount(query.backupVaultAccountId, caller, params.backupVaultName)
      const row =
        (await store.find(db, caller.tenant, params.backupVaultName)) ?? notFound('vault', params.backupVaultName)
      demandAllowed(row, caller, 'DescribeBackupVault')
      return ok(toVault(region, row))
    },

    async ListBackupVaults({ query }, { db, caller }) {
      if (query.shared) return ok({ BackupVaultList: [] })
      const { vaultType: kind, maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, kind, { limit, token })
      return ok({ BackupVaultList: items.map((row) => toVault(region, row)) }, { next })
    },

    async DeleteBackupVault({ params }, context) {
      const { db, caller, jobs, resources } = context
      const row = await lockVault(context, params.backupVaultName, 'DeleteBackupVault')
      if (row.points > 0 || (await store.isBusy(db, caller.tenant, row.name)))
        throw new Failure('invalid', `The vault '${row.name}' is not empty: delete its recovery points first.`, {
          code: invalidRequest,
        })
      await store.remove(db, row)
      await resources.remove(vaultArn(region, caller.tenant, row.name))
      await jobs.enqueue(eraseVault, { id: row.id })
      return ok({})
    },

    async PutBackupVaultLockConfiguration({ params, body }, context) {
      const row = await lockVault(context, params.backupVaultName, 'PutBackupVaultLockConfiguration')
      await store.setLock(context.db, row, locked(row, body, context.clock.now()))
      return ok({})
    },

    async DeleteBackupVaultLockConfiguration({ params }, context) {
      const row = await lockVault(context, params.backupVaultName, 'DeleteBackupVaultLockConfiguration')
      refuseIfForever(row, context.clock.now())
      await store.setLock(context.db, row, unlocked)
      return ok({})
    },

    async PutBackupVaultAccessPolicy({ params, body }, context) {
      const row = await lockVault(context, params.backupVaultName, 'PutBackupVaultAccessPolicy')
      if (body.Policy !== undefined) checkPolicy(body.Policy)
      await store.setPolicy(context.db, row, body.Policy ?? null)
      return ok({})
    },

    async GetBackupVaultAccessPolicy({ params }, { db, caller }) {
      const row =
        (await store.find(db, caller.tenant, params.backupVaultName)) ?? notFound('vault', params.backupVaultName)
      const Policy = row.policy ?? notFound('access policy of the vault', row.name)
      return ok({ BackupVaultName: row.name, BackupVaultArn: vaultArn(region, row.tenant, row.name), Policy })
    },

    async DeleteBackupVaultAccessPolicy({ params }, context) {
      const row = await lockVault(context, params.backupVaultName, 'DeleteBackupVaultAccessPolicy')
      await store.setPolicy(context.db, row, null)
      return ok({})
    },

    async PutBackupVaultNotifications({ params, body }, context) {
      const row = await lockVault(context, params.backupVaultName, 'PutBackupVaultNotifications')
      await store.setNotifications(context.db, row, body.SNSTopicArn, [...new Set(body.BackupVaultEvents)])
      return ok({})
    },

    async GetBackupVaultNotifications({ params }, { db, caller }) {
      const row =
        (await store.find(db, caller.tenant, params.backupVaultName)) ?? notFound('vault', params.backupVaultName)
      const SNSTopicArn = row.topic ?? notFound('notification configuration of the vault', row.name)
      const BackupVaultArn = vaultArn(region, row.tenant, row.name)
      return ok({ BackupVaultName: row.name, BackupVaultArn, SNSTopicArn, BackupVaultEvents: [...row.events] })
    },

    async DeleteBackupVaultNotifications({ params }, context) {
      const row = await lockVault(context, params.backupVaultName, 'DeleteBackupVaultNotifications')
      await store.setNotifications(context.db, row, null, [])
      return ok({})
    },
  })
}

/** Locks a vault until the transaction ends, if its policy allows the action. */
export async function lockVault({ db, caller }: Calling, name: string, action: string): Promise<store.VaultRow> {
  const row = (await store.lock(db, caller.tenant, name)) ?? notFound('vault', name)
  demandAllowed(row, caller, action)
  return row
}
