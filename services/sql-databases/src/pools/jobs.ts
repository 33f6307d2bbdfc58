import { type Job, job, notFound } from '@icosa/kernel'
import { membersOf } from '../databases/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { limitConnections } from '../supervision/connections.ts'
import { correctAll } from '../supervision/sizes.ts'
import * as store from './store.ts'
import { toPool } from './view.ts'

export interface PoolAddress extends store.PoolScope {
  readonly tenant: string
}

/** Applies a pool's current limits to its databases. */
export const resizePool = (settings: SqlSettings): Job<PoolAddress, ServiceRuntime> =>
  job<PoolAddress, ServiceRuntime>('resize-pool', {
    retries: 8,
    async run({ tenant, ...scope }, context) {
      const host = context.runtime.host()
      const members = await membersOf(context.db, tenant, scope, scope.elasticPoolName)
      await correctAll(
        host,
        context,
        members.filter(({ status }) => status === 'Online' || status === 'Paused'),
        settings,
      )
      await limitConnections(host, context, settings)
      return async (db) =>
        toPool((await store.find(db, tenant, scope)) ?? notFound('elastic pool', scope.elasticPoolName))
    },
  })
