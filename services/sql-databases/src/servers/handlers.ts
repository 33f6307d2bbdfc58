import { Failure, implement, noContent, notFound, ok, type ReadingContext, type Resource } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { checkSameLocation } from '../databases/change.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { SqlSettings } from '../settings.ts'
import { unsupported } from '../unsupported.ts'
import { servers as contract, type ServerInput } from './contract.ts'
import { createServer, lockServer } from './existing.ts'
import * as store from './store.ts'
import { entryOf, serverId, toServer } from './view.ts'

/** Rejects properties of the original: here, every database has its own role. */
function refuseUnsupported({ identity, properties = {} }: Pick<ServerInput, 'identity' | 'properties'>): void {
  for (const name of ['administratorLogin', 'administratorLoginPassword'] as const)
    if (properties[name] !== undefined) notSupported(unsupported.administratorLogin, name)
  if (identity) notSupported(unsupported.identity)
}

export function servers(settings: SqlSettings): Resource<ServiceRuntime> {
  const hostOf = ({ runtime }: Pick<ReadingContext<ServiceRuntime>, 'runtime'>) =>
    settings.adminUrl === undefined ? undefined : runtime.host().address.host

  async function listPage(scope: store.ListScope, token: string | undefined, context: ReadingContext<ServiceRuntime>) {
    const { items, next } = await store.list(context.db, context.caller.tenant, scope, token)
    return ok({ value: items.map((row) => toServer(row, hostOf(context))) }, { next })
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    list: ({ params, query }, context) => listPage(params, query.$skipToken, context),
    listByResourceGroup: ({ params, query }, context) => listPage(params, query.$skipToken, context),

    async get({ params }, context) {
      const row = await store.find(context.db, context.caller.tenant, params)
      return ok(toServer(row ?? notFound('server', params.serverName), hostOf(context)))
    },

    async createOrUpdate({ params, body }, context) {
      refuseUnsupported(body)
      const { location, tags = {} } = body
      const created = await createServer(context, params, { location, tags })
      if (created) return { status: 201 as const, body: toServer(created, hostOf(context)) }
      const row = await lockServer(context, params)
      checkSameLocation(row, location)
      return ok(toServer(await retag(row, tags, context), hostOf(context)))
    },

    async update({ params, body }, context) {
      refuseUnsupported(body)
      const row = await lockServer(context, params)
      return ok(toServer(await retag(row, body.tags ?? row.tags, context), hostOf(context)))
    },

    async delete({ params }, { db, caller, resources }) {
      const row = await store.findLocked(db, caller.tenant, params)
      if (!row) return noContent()
      const { databases, pools } = await store.contentsOf(db, row)
      if (databases + pools > 0)
        throw new Failure(
          'conflict',
          `The server '${row.serverName}' has ${databases} databases and ${pools} elastic pools: delete them first.`,
          { code: 'ServerNotEmpty' },
        )
      await store.remove(db, row)
      await resources.remove(serverId(row))
      return { status: 200 as const, body: undefined }
    },
  })
}

async function retag(
  row: store.ServerRow,
  tags: store.ServerRow['tags'],
  { db, resources }: Parameters<typeof lockServer>[0],
) {
  const updated = await store.setTags(db, row, tags)
  await resources.put(entryOf(updated))
  return updated
}
