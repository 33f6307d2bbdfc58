import { type Caller, type Context, notFound } from '@icosa/kernel'
import type { ServerScope } from '../databases/scope.ts'
import * as store from './store.ts'
import { entryOf } from './view.ts'

/** Whoever makes something on a server, a request or a restore. */
export type Making = Pick<Context, 'db' | 'clock' | 'resources'> & { readonly caller: Pick<Caller, 'tenant'> }

/** Makes a server if there is none of that name, and says so to the rest of the platform. Undefined: there was one. */
export async function createServer(
  { db, caller, clock, resources }: Making,
  { subscriptionId, resourceGroupName, serverName }: ServerScope,
  more: Pick<store.ServerRow, 'location' | 'tags'>,
): Promise<store.ServerRow | undefined> {
  const scope = { subscriptionId, resourceGroupName, serverName }
  const row = await store.insert(db, { ...scope, ...more, tenant: caller.tenant, createdAt: clock.now() })
  if (row) await resources.put(entryOf(row))
  return row
}

/** Holds the server until the transaction ends: names and places in pools are given away one after another. */
export async function holdServer({ db, caller }: Making, scope: ServerScope): Promise<store.ServerRow> {
  return (await store.findLocked(db, caller.tenant, scope)) ?? notFound('server', scope.serverName)
}
