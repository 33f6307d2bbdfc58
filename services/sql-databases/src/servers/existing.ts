import { type Caller, type Context, notFound } from '@icosa/kernel'
import type { ServerScope } from '../databases/scope.ts'
import * as store from './store.ts'
import { entryOf } from './view.ts'

/** Context of a request or a restore that creates resources on a server. */
export type CreationContext = Pick<Context, 'db' | 'clock' | 'resources'> & { readonly caller: Pick<Caller, 'tenant'> }

/** Creates and registers a server. Undefined if it exists. */
export async function createServer(
  { db, caller, clock, resources }: CreationContext,
  { subscriptionId, resourceGroupName, serverName }: ServerScope,
  more: Pick<store.ServerRow, 'location' | 'tags'>,
): Promise<store.ServerRow | undefined> {
  const scope = { subscriptionId, resourceGroupName, serverName }
  const row = await store.insert(db, { ...scope, ...more, tenant: caller.tenant, createdAt: clock.now() })
  if (row) await resources.put(entryOf(row))
  return row
}

/** Locks the server until the transaction ends, which serializes changes of names and of pool members. */
export async function lockServer({ db, caller }: CreationContext, scope: ServerScope): Promise<store.ServerRow> {
  return (await store.findLocked(db, caller.tenant, scope)) ?? notFound('server', scope.serverName)
}
