import { implement, notFound, ok, type Resource } from '@icosa/kernel'
import * as databases from '../databases/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import * as servers from '../servers/store.ts'
import type { SqlSettings } from '../settings.ts'
import { restorableDroppedDatabases as dropped, recoverableDatabases as recoverable } from './contract.ts'
import * as store from './store.ts'
import { readDroppedName, toDropped, toRecoverable } from './view.ts'
import { windowOf } from './window.ts'

export const restorableDroppedDatabases = (settings: SqlSettings): Resource<ServiceRuntime> =>
  implement<typeof dropped, ServiceRuntime>(dropped, {
    async listByServer({ params, query }, { db, caller, clock }) {
      const { items, next } = await store.list(db, caller.tenant, params, query.$skipToken)
      // Databases can be restored even after their server was deleted.
      if (items.length === 0 && !(await servers.find(db, caller.tenant, params))) notFound('server', params.serverName)
      const value = items.flatMap((row) => {
        const window = windowOf(row, settings, clock.now())
        return window ? [toDropped(row, window)] : []
      })
      return ok({ value }, { next })
    },

    async get({ params }, { db, caller, clock }) {
      const { databaseName, droppedAt } = readDroppedName(params.restorableDroppedDatabaseId)
      const row = await store.find(db, caller.tenant, { ...params, databaseName }, droppedAt)
      const window = row && windowOf(row, settings, clock.now())
      return ok(
        row && window ? toDropped(row, window) : notFound('restorable database', params.restorableDroppedDatabaseId),
      )
    },
  })

export const recoverableDatabases = (settings: SqlSettings): Resource<ServiceRuntime> =>
  implement<typeof recoverable, ServiceRuntime>(recoverable, {
    async listByServer({ params, query }, { db, caller, clock }) {
      if (!(await servers.find(db, caller.tenant, params))) notFound('server', params.serverName)
      const { items, next } = await databases.list(db, caller.tenant, params, { token: query.$skipToken })
      const value = items.flatMap((row) => {
        const window = windowOf(row, settings, clock.now())
        return window ? [toRecoverable(row, window)] : []
      })
      return ok({ value }, { next })
    },

    async get({ params }, { db, caller, clock }) {
      const row = await databases.find(db, caller.tenant, params)
      const window = row && windowOf(row, settings, clock.now())
      return ok(row && window ? toRecoverable(row, window) : notFound('recoverable database', params.databaseName))
    },
  })
