import { type Context, Failure, type Handlers, noContent, ok } from '@icosa/kernel'
import { isWarehouse, levelOf, upgraded } from '../configuration/levels.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import type { SqlSettings } from '../settings.ts'
import { begin, busy, underWay } from './begin.ts'
import type { databases as contract } from './contract.ts'
import { alreadyExists, lockDatabase, lockDatabaseAndServer } from './locked.ts'
import { checkNotReserved, checkSameServer, databaseId, readDatabaseId } from './scope.ts'
import type { DatabaseRow } from './store.ts'
import * as store from './store.ts'
import { entryOf, toDatabase } from './view.ts'

type Lifecycle = Pick<Handlers<typeof contract>, 'delete' | 'pause' | 'resume' | 'upgradeDataWarehouse' | 'rename'>

export function lifecycle(jobs: DatabaseJobs, settings: SqlSettings): Lifecycle {
  const view = (row: DatabaseRow, { clock }: Pick<Context, 'clock'>) => ok(toDatabase(row, settings, clock.now()))
  return {
    async delete({ params }, context) {
      const row = await store.findLocked(context.db, context.caller.tenant, params)
      if (!row) return noContent()
      return row.status === 'Shutdown' ? underWay(row) : begin(context, row, jobs.remove, 'Shutdown')
    },

    async pause({ params }, context) {
      const row = await lockDatabase(context, params)
      if (row.status === 'Paused') return view(row, context)
      if (row.status === 'Pausing') return underWay(row)
      return row.status === 'Online' ? begin(context, row, jobs.pause, 'Pausing') : busy(row)
    },

    async resume({ params }, context) {
      const row = await lockDatabase(context, params)
      if (row.status === 'Online') return view(row, context)
      if (row.status === 'Resuming') return underWay(row)
      return row.status === 'Paused' ? begin(context, row, jobs.resume, 'Resuming') : busy(row)
    },

    async upgradeDataWarehouse({ params }, context) {
      const row = await lockDatabase(context, params)
      const level = levelOf(row.objective)
      if (!isWarehouse(level))
        throw new Failure('invalid', `The database is not a data warehouse: its sku is ${level.objective}.`, {
          code: 'FeatureDisabledOnSelectedEdition',
        })
      if (row.status === 'OnlineChangingDwPerformanceTiers') return underWay(row)
      if (row.status !== 'Online') busy(row)
      const next = upgraded(level)
      if (!next && row.applied) return { status: 200 as const, body: undefined }
      if (next) await store.setDesired(context.db, row, { ...row, objective: next.objective })
      return begin(context, row, jobs.upgrade, 'OnlineChangingDwPerformanceTiers')
    },

    async rename({ params, body }, context) {
      const { db, caller, resources } = context
      const row = await lockDatabaseAndServer(context, params)
      const target = readDatabaseId(body.id, 'InvalidMoveTargetResourceId')
      checkSameServer(target, row)
      checkNotReserved(target.databaseName)
      if (row.status !== 'Online' && row.status !== 'Paused') busy(row)
      const existing = await store.find(db, caller.tenant, target)
      if (existing && existing.id !== row.id) alreadyExists(existing)
      const renamed = (await store.rename(db, row.id, target.databaseName)) ?? row
      await resources.remove(databaseId(row))
      await resources.put(entryOf(renamed))
      return { status: 200 as const, body: undefined }
    },
  }
}
