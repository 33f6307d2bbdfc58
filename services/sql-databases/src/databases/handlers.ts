import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import type { Held } from '../held.ts'
import type { SqlSettings } from '../settings.ts'
import { busy } from './begin.ts'
import { change, checkNotCreating, checkUnchanged } from './change.ts'
import { databases as contract } from './contract.ts'
import { create, sourceOf } from './create.ts'
import { shown } from './entity.ts'
import type { DatabaseJobs } from './jobs.ts'
import { lifecycle } from './lifecycle.ts'
import { alreadyThere, lockedWithServer } from './locked.ts'
import { passwordPlace } from './passwords.ts'
import { checkNames } from './scope.ts'
import * as store from './store.ts'
import { refuseUnbuilt } from './unbuilt.ts'
import { wantedBy, wantedNow } from './wanted.ts'

export function databases(jobs: DatabaseJobs, settings: SqlSettings): Resource<Held> {
  return implement<typeof contract, Held>(contract, {
    ...lifecycle(jobs),

    async listByServer({ params, query }, { db, caller }) {
      const scope = checkNames(params)
      if (!(await store.hasServer(db, caller.tenant, scope))) notFound('server', scope.serverName)
      const { items, next } = await store.list(db, caller.tenant, scope, { token: query.$skipToken })
      return ok({ value: items.map(shown) }, { next })
    },

    async listByElasticPool({ params, query }, { db, caller }) {
      const { elasticPoolName: pool, ...scope } = checkNames(params)
      if (!(await store.hasServer(db, caller.tenant, scope))) notFound('server', scope.serverName)
      const { items, next } = await store.list(db, caller.tenant, scope, { pool, token: query.$skipToken })
      return ok({ value: items.map(shown) }, { next })
    },

    async get({ params }, { db, caller }) {
      const scope = checkNames(params)
      return ok(shown((await store.find(db, caller.tenant, scope)) ?? notFound('database', scope.databaseName)))
    },

    async listCredentials({ params }, { db, caller, vault, held }) {
      const scope = checkNames(params)
      const { id, ...row } = (await store.find(db, caller.tenant, scope)) ?? notFound('database', scope.databaseName)
      const { address, url } = held.host()
      const password = vault.open(row.password, passwordPlace(id))
      const names = { database: row.physical, user: row.physical }
      return ok({ ...address, ...names, password, connectionString: url(row.physical, password) })
    },

    async createOrUpdate({ params, body }, context) {
      const scope = checkNames(params)
      const { properties = {} } = body
      refuseUnbuilt(properties)
      context.held.host() // without one nothing could be created
      await store.lockServer(context.db, context.caller.tenant, scope, context.clock.now())
      const row = await store.findLocked(context.db, context.caller.tenant, scope)
      if (!row) return create(context, scope, body, jobs, settings)
      checkUnchanged(row, properties, body.location)
      const source = await sourceOf(context, properties)
      if (source && source.id !== row.source) alreadyThere(row)
      if (row.status === 'Inaccessible' && (source?.id ?? null) !== row.source) busy(row)
      return change(context, row, wantedBy(body, scope, source), jobs, settings)
    },

    async update({ params, body }, context) {
      const row = await lockedWithServer(context, params)
      const { properties = {} } = body
      refuseUnbuilt(properties)
      checkNotCreating(properties)
      checkUnchanged(row, properties)
      if (row.status === 'Inaccessible') busy(row)
      return change(context, row, wantedNow(row, body, row), jobs, settings)
    },
  })
}
