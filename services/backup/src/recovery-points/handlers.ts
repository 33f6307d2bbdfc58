import {
  type Context,
  Failure,
  implement,
  noContent,
  notFound,
  ok,
  type ReadingContext,
  type Resource,
} from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import { refuseIfHeld } from '../legal-holds/handlers.ts'
import { tell } from '../notices/deliver.ts'
import { arnsOf, ownArnsOf } from '../resources/named.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { pointIdIn } from '../shapes/arns.ts'
import { seconds } from '../shapes/time.ts'
import { locking } from '../vaults/handlers.ts'
import { checkRetention, refuseIfLocked } from '../vaults/lock.ts'
import { demandAllowed, demandOwnAccount } from '../vaults/policy.ts'
import * as vaults from '../vaults/store.ts'
import { vaultArn } from '../vaults/view.ts'
import { checkContinuous, toTimes, windowOf } from './continuous.ts'
import { recoveryPoints as contract } from './contract.ts'
import { calculated, checkedLifecycle, lifecycleColumns, toLifecycle } from './lifecycle.ts'
import { tidyUp } from './maintenance.ts'
import * as store from './store.ts'
import { pointArn, storageClass, toPoint } from './view.ts'

interface Where {
  readonly backupVaultName: string
  readonly recoveryPointArn: string
}

export function recoveryPoints(region: string): Resource<ServiceRuntime> {
  /** A recovery point in the vault that the path names. */
  async function found({ backupVaultName, recoveryPointArn }: Where, { db, caller }: ReadingContext, action: string) {
    const vault = (await vaults.find(db, caller.tenant, backupVaultName)) ?? notFound('vault', backupVaultName)
    demandAllowed(vault, caller, action)
    const row = await store.find(db, caller.tenant, pointIdIn({ tenant: caller.tenant, region }, recoveryPointArn))
    return row?.vault === backupVaultName ? row : notFound('recovery point', recoveryPointArn)
  }

  const byResource = (row: store.PointRow) => ({
    RecoveryPointArn: pointArn(region, row),
    CreationDate: seconds(row.createdAt),
    Status: row.status,
    ...(row.statusMessage !== null && { StatusMessage: row.statusMessage }),
    BackupSizeBytes: row.bytes,
    BackupVaultName: row.vault,
    IsParent: false,
    ResourceName: row.resourceName,
    VaultType: row.vaultKind,
  })

  return implement<typeof contract, ServiceRuntime>(contract, {
    async DescribeRecoveryPoint({ params, query }, context) {
      demandOwnAccount(query.backupVaultAccountId, context.caller, params.backupVaultName)
      const row = await found(params, context, 'DescribeRecoveryPoint')
      return ok({ ...toPoint(region, row), StorageClass: storageClass(row, context.clock.now()) })
    },

    async DeleteRecoveryPoint({ params }, context) {
      const vault = await locking(context, params.backupVaultName, 'DeleteRecoveryPoint')
      await remove(vault, await found(params, context, 'DeleteRecoveryPoint'), context)
      return ok({})
    },

    async UpdateRecoveryPointLifecycle({ params, body }, context) {
      const vault = await locking(context, params.backupVaultName, 'UpdateRecoveryPointLifecycle')
      const row = await found(params, context, 'UpdateRecoveryPointLifecycle')
      refuseIfLocked(vault)
      if (row.continuous) checkContinuous(body.Lifecycle, 'body/Lifecycle')
      const lifecycle = checkedLifecycle(body.Lifecycle, 'body/Lifecycle')
      checkRetention(vault, lifecycle)
      const kept = { ...row, ...lifecycleColumns(lifecycle, row.createdAt) }
      await store.setLifecycle(context.db, row, kept)
      await tell(context.db, context.jobs, {
        tenant: row.tenant,
        vault: row.vault,
        id: row.id,
        at: context.clock.now(),
        events: ['RECOVERY_POINT_MODIFIED'],
        message: 'The life cycle of a recovery point was changed.',
      })
      return ok({
        BackupVaultArn: vaultArn(region, row.tenant, row.vault),
        RecoveryPointArn: pointArn(region, row),
        Lifecycle: toLifecycle(kept),
        CalculatedLifecycle: calculated(kept),
      })
    },

    async DisassociateRecoveryPoint({ params }, context) {
      const vault = await locking(context, params.backupVaultName, 'DisassociateRecoveryPoint')
      const row = await found(params, context, 'DisassociateRecoveryPoint')
      if (!row.continuous) refuse('It is not a continuous backup: there is nothing from which to part it.')
      await remove(vault, row, context)
      return ok({})
    },

    async DisassociateRecoveryPointFromParent({ params }, context) {
      await found(params, context, 'DisassociateRecoveryPointFromParent')
      return refuse('It has no parent: there is nothing from which to part it.') ?? noContent()
    },

    async GetRecoveryPointRestoreMetadata({ params, query }, context) {
      demandOwnAccount(query.backupVaultAccountId, context.caller, params.backupVaultName)
      const { db, runtime, clock } = context
      const row = await found(params, context, 'GetRecoveryPointRestoreMetadata')
      return ok({
        BackupVaultArn: vaultArn(region, row.tenant, row.vault),
        RecoveryPointArn: pointArn(region, row),
        RestoreMetadata: { ...row.metadata, ...toTimes(await windowOf(row, runtime, db, clock.now())) },
        ResourceType: row.resourceType,
      })
    },

    async ListRecoveryPointsByBackupVault({ params, query }, { db, caller, runtime }) {
      const name = params.backupVaultName
      const { maxResults: limit, nextToken: token, backupVaultAccountId, parentRecoveryPointArn, ...rest } = query
      demandOwnAccount(backupVaultAccountId, caller, name)
      const vault = (await vaults.find(db, caller.tenant, name)) ?? notFound('vault', name)
      demandAllowed(vault, caller, 'ListRecoveryPointsByBackupVault')
      if (parentRecoveryPointArn !== undefined) return ok({ RecoveryPoints: [] }) // none has a parent
      const { resourceArn, ...filter } = rest
      const owner = { tenant: caller.tenant, region }
      const resourceArns = resourceArn === undefined ? undefined : arnsOf(owner, runtime, resourceArn)
      const { items, next } = await store.list(
        db,
        owner.tenant,
        { vault: name, ...filter, resourceArns },
        { limit, token },
      )
      return ok({ RecoveryPoints: items.map((row) => toPoint(region, row)) }, { next })
    },

    async ListRecoveryPointsByResource({ params, query }, { db, caller, runtime }) {
      const owner = { tenant: caller.tenant, region }
      const resourceArns = ownArnsOf(owner, runtime, params.resourceArn)
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, { resourceArns }, { limit, token })
      return ok({ RecoveryPoints: items.map((row) => byResource(row)) }, { next })
    },
  })
}

async function remove(
  vault: vaults.VaultRow,
  row: store.PointRow,
  { db, jobs }: Context<ServiceRuntime>,
): Promise<void> {
  refuseIfLocked(vault)
  await refuseIfHeld(db, row)
  await store.setDeleting(db, row)
  await tidyUp(jobs, vault.name)
}

function refuse(message: string): never {
  throw new Failure('invalid', message, { code: invalidRequest })
}
