import { implement, notFound, ok, type ReadingContext, type Resource } from '@icosa/kernel'
import { readDesired, updateDesired } from '../configuration/desired.ts'
import { refuseUnsupported } from '../configuration/unsupported.ts'
import * as pools from '../pools/store.ts'
import type { DatabaseJobs } from '../provisioning/jobs.ts'
import { passwordPlace } from '../provisioning/passwords.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { createServer, lockServer } from '../servers/existing.ts'
import * as servers from '../servers/store.ts'
import type { SqlSettings } from '../settings.ts'
import { busy, isOnHost } from './begin.ts'
import { change, checkNotCreating, checkUnchanged } from './change.ts'
import { databases as contract } from './contract.ts'
import { create, sourceIn } from './create.ts'
import { lifecycle } from './lifecycle.ts'
import { alreadyExists, lockDatabaseAndServer } from './locked.ts'
import { isFrom, originOf } from './origin.ts'
import { checkNotReserved } from './scope.ts'
import * as store from './store.ts'
import { toDatabase } from './view.ts'

export function databases(jobs: DatabaseJobs, settings: SqlSettings): Resource<ServiceRuntime> {
  const viewAt =
    ({ clock }: Pick<ReadingContext, 'clock'>) =>
    (row: store.DatabaseRow) =>
      toDatabase(row, settings, clock.now())

  return implement<typeof contract, ServiceRuntime>(contract, {
    ...lifecycle(jobs, settings),

    async listByServer({ params: scope, query }, context) {
      const { db, caller } = context
      if (!(await servers.find(db, caller.tenant, scope))) notFound('server', scope.serverName)
      const { items, next } = await store.list(db, caller.tenant, scope, { token: query.$skipToken })
      return ok({ value: items.map(viewAt(context)) }, { next })
    },

    async listByElasticPool({ params: scope, query }, context) {
      const { db, caller } = context
      const pool = scope.elasticPoolName
      if (!(await pools.find(db, caller.tenant, scope))) notFound('elastic pool', pool)
      const { items, next } = await store.list(db, caller.tenant, scope, { pool, token: query.$skipToken })
      return ok({ value: items.map(viewAt(context)) }, { next })
    },

    async get({ params: scope }, context) {
      const row = await store.find(context.db, context.caller.tenant, scope)
      return ok(viewAt(context)(row ?? notFound('database', scope.databaseName)))
    },

    async listCredentials({ params: scope }, { db, caller, tenantVault, runtime }) {
      const row = (await store.find(db, caller.tenant, scope)) ?? notFound('database', scope.databaseName)
      if (!isOnHost(row)) busy(row)
      const { address, url } = runtime.host()
      const password = (await tenantVault()).open(row.password, passwordPlace(row.id))
      const names = { database: row.physical, user: row.physical }
      return ok({ ...address, ...names, password, connectionString: url(row.physical, password) })
    },

    async createOrUpdate({ params: scope, body }, context) {
      const { properties = {} } = body
      checkNotReserved(scope.databaseName)
      refuseUnsupported(properties)
      context.runtime.host() // rejects without one
      // The specification has no operation that creates a server: a database on it does.
      await createServer(context, scope, { location: body.location, tags: {} })
      await lockServer(context, scope)
      const row = await store.findLocked(context.db, context.caller.tenant, scope)
      const origin = await originOf(context, properties)
      if (!row) return create(context, scope, { body, origin, jobs, settings })
      checkUnchanged(row, properties, body.location)
      if (origin.mode !== 'Default' && !isFrom(row, origin)) alreadyExists(row)
      if (row.status === 'Inaccessible' && !isFrom(row, origin)) busy(row)
      return change(context, row, readDesired(body, scope, sourceIn(origin)), { sku: body.sku, jobs, settings })
    },

    async update({ params, body }, context) {
      const row = await lockDatabaseAndServer(context, params)
      const { properties = {} } = body
      refuseUnsupported(properties)
      checkNotCreating(properties)
      checkUnchanged(row, properties)
      if (row.status === 'Inaccessible') busy(row)
      return change(context, row, updateDesired(row, body, row), { sku: body.sku, jobs, settings })
    },
  })
}
