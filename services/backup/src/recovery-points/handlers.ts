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
import { notify } from '../notices/deliver.ts'
import { arnsOf, ownArnsOf } from '../resources/named.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { pointIdIn } from '../shapes/arns.ts'
import { seconds } from '../shapes/time.ts'
import { lockVault } from '../vaults/handlers.ts'
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

interface Path {
  readonly backupVaultName: string
  readonly recoveryPointArn: string
}

export function recoveryPoints(region: string): Resource<ServiceRuntime> {
  /** Finds a recovery point in the vault of the path. */
  async function getPoint({ backupVaultName, recoveryPointArn }: Path, { db, caller }: ReadingContext, action: string) {
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
      const row = await getPoint(params, context, 'DescribeRecoveryPoint')
      return ok({ ...toPoint(region, row), StorageClass: storageClass(row, context.clock.now()) })
    },

    async DeleteRecoveryPoint({ params }, context) {
      const vault = await lockVault(context, params.backupVaultName, 'DeleteRecoveryPoint')
      await remove(vault, await getPoint(params, context, 'DeleteRecoveryPoint'), context)
      return ok({})
    },

    async UpdateRecoveryPointLifecycle({ params, body }, context) {
      const vault = await lockVault(context, params.backupVaultName, 'UpdateRecoveryPointLifecycle')
      const row = await getPoint(params, context, 'UpdateRecoveryPointLifecycle')
      refuseIfLocked(vault)
      if (row.continuous) checkContinuous(body.Lifecycle, 'body/Lifecycle')
      const lifecycle = checkedLifecycle(body.Lifecycle, 'body/Lifecycle')
      checkRetention(vault, lifecycle)
      const updated = { ...row, ...lifecycleColumns(lifecycle, row.createdAt) }
      await store.setLifecycle(context.db, row, updated)
      await notify(context.db, context.jobs, {
        tenant: row.tenant,
        vault: row.vault,
        id: row.id,
        at: context.clock.now(),
        events: ['RECOVERY_POINT_MODIFIED'],
        message: 'The lifecycle of a recovery point was changed.',
      })
      return ok({
        BackupVaultArn: vaultArn(region, row.tenant, row.vault),
        RecoveryPointArn: pointArn(region, row),
        Lifecycle: toLifecycle(updated),
        CalculatedLifecycle: calculated(updated),
      })
    },

    async DisassociateRecoveryPoint({ params }, context) {
      const vault = await lockVault(context, params.backupVaultName, 'DisassociateRecoveryPoint')
      const row = await getPoint(params, context, 'DisassociateRecoveryPoint')
      if (!row.continuous) refuse('The recovery point is not continuous: there is nothing to disassociate it from.')
      await remove(vault, row, context)
      return ok({})
    },

    async DisassociateRecoveryPointFromParent({ params }, context) {
      await getPoint(params, context, 'DisassociateRecoveryPointFromParent')
      return refuse('The recovery point has no parent: there is nothing to disassociate it from.') ?? noContent()
    },

    async GetRecoveryPointRestoreMetadata({ params, query }, context) {
      demandOwnAccount(query.backupVaultAccountId, context.caller, params.backupVaultName)
      const { db, runtime, clock } = context
      const row = await getPoint(params, context, 'GetRecoveryPointRestoreMetadata')
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
