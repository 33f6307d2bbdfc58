import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { ownArn } from '../shapes/arns.ts'
import { seconds } from '../shapes/time.ts'
import { demandOwnAccount } from '../vaults/policy.ts'
import * as vaults from '../vaults/store.ts'
import { vaultArn } from '../vaults/view.ts'
import { resources as contract, type ProtectedResource } from './contract.ts'
import { ownArnsOf } from './named.ts'
import * as store from './store.ts'

const minuteMs = 60_000

export function resources(region: string): Resource<ServiceRuntime> {
  const toResource = ({ tenant, ...row }: store.ProtectedRow): ProtectedResource => ({
    ResourceArn: row.arn,
    ResourceType: row.type,
    ResourceName: row.name,
    LastBackupTime: seconds(row.lastAt),
    LastBackupVaultArn: vaultArn(region, tenant, row.vault),
    LastRecoveryPointArn: ownArn({ tenant, region }, 'recovery-point', row.pointId),
  })

  return implement<typeof contract, ServiceRuntime>(contract, {
    async DescribeProtectedResource({ params }, { db, caller, runtime }) {
      const { tenant } = caller
      const arns = ownArnsOf({ tenant, region }, runtime, params.resourceArn)
      const row = (await store.find(db, tenant, arns)) ?? notFound('protected resource', params.resourceArn)
      const last = await store.lastRestore(db, tenant, row.key)
      return ok({
        ...toResource(row),
        ...(last && {
          LatestRestoreExecutionTimeMinutes: Math.ceil(
            (last.completedAt.getTime() - last.createdAt.getTime()) / minuteMs,
          ),
          LatestRestoreJobCreationDate: seconds(last.createdAt),
          LatestRestoreRecoveryPointCreationDate: seconds(last.pointCreatedAt),
        }),
      })
    },

    async ListProtectedResources({ query }, { db, caller }) {
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, undefined, { limit, token })
      return ok({ Results: items.map(toResource) }, { next })
    },

    async ListProtectedResourcesByBackupVault({ params, query }, { db, caller }) {
      const name = params.backupVaultName
      demandOwnAccount(query.backupVaultAccountId, caller, name)
      if (!(await vaults.find(db, caller.tenant, name))) notFound('vault', name)
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, name, { limit, token })
      return ok({ Results: items.map(toResource) }, { next })
    },
  })
}
