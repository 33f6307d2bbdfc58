import { implement, notFound, ok } from '@icosa/kernel'
import { ownArn } from '../shapes/arns.ts'
import { seconds } from '../shapes/time.ts'
import * as vaults from '../vaults/store.ts'
import { vaultArn } from '../vaults/view.ts'
import { resources as contract, type ProtectedResource } from './contract.ts'
import { arnOfOwn } from './registry-store.ts'
import * as store from './store.ts'

const minuteMs = 60_000

export function resources(region: string) {
  const toResource = ({ tenant, ...row }: store.ProtectedRow): ProtectedResource => ({
    ResourceArn: row.arn,
    ResourceType: row.type,
    ResourceName: row.name,
    LastBackupTime: seconds(row.lastAt),
    LastBackupVaultArn: vaultArn(region, tenant, row.vault),
    LastRecoveryPointArn: ownArn({ tenant, region }, 'recovery-point', row.pointId),
  })

  return implement(contract, {
    async DescribeProtectedResource({ params }, { db, caller }) {
      const { tenant } = caller
      const arn = await arnOfOwn(db, { tenant, region }, params.resourceArn)
      const row = (await store.find(db, tenant, arn)) ?? notFound('protected resource', params.resourceArn)
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
      if (!(await vaults.find(db, caller.tenant, name))) notFound('vault', name)
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, name, { limit, token })
      return ok({ Results: items.map(toResource) }, { next })
    },
  })
}
