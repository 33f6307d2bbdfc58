import { Failure, implement, ok, type ReadingDb } from '@icosa/kernel'
import type { Feed } from '../requests/feed.ts'
import type { Matches } from '../requests/watcher.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { history as contract } from './contract.ts'
import { eventsOf, maxEvents, requestsAt, tracesOfRequests } from './store.ts'

export const history = implement<typeof contract, ServiceRuntime>(contract, {
  async getHistory({ query: { trace, request, path, created } }, { db, caller, runtime: { recorder, feed } }) {
    if ([trace, request, path].filter((one) => one !== undefined).length !== 1)
      throw new Failure('invalid', 'Name a trace, a request or the path of a resource.')
    const requests = request === undefined ? await changesOf(db, feed, caller.tenant, path, created) : [request]
    const traces = trace === undefined ? await tracesOfRequests(db, caller.tenant, requests) : [trace]
    const events = await eventsOf(db, caller.tenant, traces)
    return ok({
      value: events.slice(0, maxEvents),
      recorded: recorder.isRecording,
      truncated: events.length > maxEvents,
    })
  },
})

/** Requests that changed a resource, with the one that created it in a list, where its reply was recorded. */
async function changesOf(
  db: ReadingDb,
  feed: Feed,
  tenant: string,
  path: string | undefined,
  created: string | undefined,
): Promise<readonly string[]> {
  if (path === undefined) return []
  const [list, ...value] = created?.split('#') ?? []
  const names = naming(value.join('#'))
  const isCreation: Matches = ({ method, path: sent, status, response: { body = '' } }) =>
    method === 'POST' && status < 300 && sent === list && names.test(body)
  const creations = list === undefined ? [] : feed.recent(tenant, isCreation, 1)
  return [...creations.map(({ id }) => id), ...(await requestsAt(db, tenant, path))]
}

/** Matches JSON with a member of this value; a number must be that of an ID. */
function naming(value: string): RegExp {
  const literal = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(/^\d+$/.test(value) ? `id":\\s*"?${literal}\\b` : `["/]${literal}["/]`, 'i')
}
