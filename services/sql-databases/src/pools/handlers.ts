import {
  accepted,
  type Context,
  Failure,
  implement,
  type Job,
  noContent,
  notFound,
  ok,
  type Resource,
} from '@icosa/kernel'
import { checkSameLocation } from '../databases/change.ts'
import { countPool } from '../databases/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { lockServer } from '../servers/existing.ts'
import * as servers from '../servers/store.ts'
import { pools as contract } from './contract.ts'
import { readDesiredPool, samePoolLimits, updateDesiredPool } from './desired.ts'
import type { PoolAddress } from './jobs.ts'
import * as store from './store.ts'
import { entryOf, idOfPool, toPool } from './view.ts'

export function pools(resize: Job<PoolAddress, ServiceRuntime>): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async listByServer({ params, query }, { db, caller }) {
      if (!(await servers.find(db, caller.tenant, params))) notFound('server', params.serverName)
      const { items, next } = await store.list(db, caller.tenant, params, query.$skipToken)
      return ok({ value: items.map(toPool) }, { next })
    },

    async get({ params }, { db, caller }) {
      return ok(toPool((await store.find(db, caller.tenant, params)) ?? missing(params)))
    },

    async createOrUpdate({ params, body }, context) {
      const { db, caller, clock } = context
      const desired = readDesiredPool(body)
      const { serverName } = await lockServer(context, params)
      const row = await store.find(db, caller.tenant, params)
      if (row) {
        checkSameLocation(row, body.location)
        return change(context, row, desired, resize)
      }
      const { subscriptionId, resourceGroupName, elasticPoolName } = params
      const created = await store.insert(db, {
        ...desired,
        ...{ subscriptionId, resourceGroupName, serverName, elasticPoolName },
        tenant: caller.tenant,
        location: body.location,
        createdAt: clock.now(),
      })
      await register(context, created)
      return { status: 201 as const, body: toPool(created) }
    },

    async update({ params, body }, context) {
      await lockServer(context, params)
      const row = (await store.find(context.db, context.caller.tenant, params)) ?? missing(params)
      return change(context, row, updateDesiredPool(row, body), resize)
    },

    async delete({ params }, context) {
      const { db, caller } = context
      if (!(await servers.findLocked(db, caller.tenant, params))) return noContent()
      const row = await store.find(db, caller.tenant, params)
      if (!row) return noContent()
      const members = await countPool(db, caller.tenant, row, row.elasticPoolName)
      if (members > 0)
        throw new Failure(
          'conflict',
          `The pool '${row.elasticPoolName}' has ${members} databases: delete them, or give them another sku, first.`,
          { code: 'ElasticPoolNotEmpty' },
        )
      await store.remove(db, row)
      await context.resources.remove(idOfPool(row))
      return { status: 200 as const, body: undefined }
    },
  })
}

function missing({ elasticPoolName }: store.PoolScope): never {
  return notFound('elastic pool', elasticPoolName)
}

async function change(
  context: Context,
  row: store.PoolRow,
  desired: store.DesiredPool,
  resize: Job<PoolAddress, ServiceRuntime>,
) {
  const updated = await store.setDesired(context.db, row, desired)
  await register(context, updated)
  if (samePoolLimits(row, desired)) return ok(toPool(updated))
  const { tenant, subscriptionId, resourceGroupName, serverName, elasticPoolName } = row
  const address = { tenant, subscriptionId, resourceGroupName, serverName, elasticPoolName }
  const operation = await context.operations.start(resize, address, { resource: idOfPool(row) })
  await store.setOperation(context.db, row, operation.id)
  return accepted(undefined, operation)
}

const register = ({ resources }: Context, row: store.PoolRow) => resources.put(entryOf(row))
