import { client } from '@icosa/client'
import { clock, faults, registry, snapshots, state } from '@icosa/platform/contract'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { platformTarget } from './access.ts'
import { type Found, noteNow, operationOf, platformNow, serviceQuery, statusQuery } from './catalogue.ts'
import { jobsQuery } from './watch.ts'

const platform = () => client({ ...clock, ...faults, ...registry, ...snapshots, ...state }, platformTarget())

/** The service to which these operations belong. */
export const platformName = 'platform'

/** The operations for development that the node offers and this key permits. */
export interface Offered {
  readonly moveClock?: Found | undefined
  readonly listJobs?: Found | undefined
  readonly resetState?: Found | undefined
  readonly addFault?: Found | undefined
  readonly removeFault?: Found | undefined
  readonly listFaults?: Found | undefined
  readonly listSnapshots?: Found | undefined
  readonly saveSnapshot?: Found | undefined
  readonly restoreSnapshot?: Found | undefined
  readonly compareSnapshots?: Found | undefined
  readonly deleteSnapshot?: Found | undefined
}

const others = [
  ...(['resetState', 'addFault', 'removeFault', 'listFaults', 'listSnapshots', 'saveSnapshot'] as const),
  ...(['restoreSnapshot', 'compareSnapshots', 'deleteSnapshot'] as const),
]

export function useOffered(): Offered {
  const { data: status } = useQuery(statusQuery)
  const { data } = useQuery({ ...serviceQuery(platformName), enabled: status?.clock === 'virtual' })
  if (!data) return {}
  return {
    moveClock: operationOf(data, 'getClock') && operationOf(data, 'moveClock'),
    listJobs: operationOf(data, 'listJobs'),
    ...Object.fromEntries(others.map((id) => [id, operationOf(data, id)])),
  }
}

export const clockQuery = queryOptions({
  queryKey: ['clock'],
  async queryFn() {
    const { body } = await platform().getClock({})
    return { ...body, offsetMs: noteNow(body.now) }
  },
  refetchInterval: 5_000,
})

export const timeOn = ({ now, frozen }: { readonly now: string; readonly frozen: boolean }) =>
  frozen ? new Date(now) : platformNow()

/** Smaller offsets are network delay, not a moved clock. */
const maxRealOffsetMs = 60_000
export const isMoved = (offsetMs: number) => Math.abs(offsetMs) > maxRealOffsetMs

export type ClockMove = Parameters<ReturnType<typeof platform>['moveClock']>[0]['body']

/** Moves the clock of every node. Shows the reply immediately, since nodes follow a few milliseconds later. */
export async function moveClock(queries: QueryClient, body: ClockMove): Promise<void> {
  await queries.cancelQueries({ queryKey: clockQuery.queryKey })
  await queries.cancelQueries({ queryKey: statusQuery.queryKey })
  const { body: moved } = await platform().moveClock({ body })
  const offsetMs = noteNow(moved.now)
  queries.setQueryData(clockQuery.queryKey, { ...moved, offsetMs })
  queries.setQueryData(statusQuery.queryKey, (status) => status && { ...status, now: moved.now, offsetMs })
  await queries.invalidateQueries({ queryKey: jobsQuery.queryKey })
}

/** Deletes a tenant's state in one service or in all. Returns the number of deleted rows. */
export async function resetState(queries: QueryClient, body: { service?: string; tenant: string }): Promise<number> {
  const { rows } = (await platform().resetState({ body })).body
  await queries.invalidateQueries()
  return rows
}

const maxPages = 10

/** Registered resources by service. Not every resource is registered. */
export const registeredQuery = queryOptions({
  queryKey: ['registered'],
  async queryFn() {
    const found: { readonly service: string; readonly name: string }[] = []
    let pageToken: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const { body } = await platform().searchResources({ query: pageToken === undefined ? {} : { pageToken } })
      found.push(...body.resources)
      pageToken = body.nextPageToken
      if (pageToken === undefined) break
    }
    return { resources: found, hasMore: pageToken !== undefined }
  },
})

export const faultsQuery = queryOptions({
  queryKey: ['faults'],
  queryFn: async () => (await platform().listFaults({})).body.faults,
  refetchInterval: 5_000,
})
export type Fault = Awaited<ReturnType<NonNullable<typeof faultsQuery.queryFn>>>[number]

export async function removeFault(queries: QueryClient, faultId: string): Promise<void> {
  await platform().removeFault({ params: { faultId } })
  await queries.invalidateQueries({ queryKey: faultsQuery.queryKey })
}

const listSnapshots = async () => (await platform().listSnapshots({})).body

/** Requests fail while the node stops for a snapshot; the last list is shown until it is back. */
export const snapshotsQuery = queryOptions({
  queryKey: ['snapshots'],
  queryFn: listSnapshots,
  refetchInterval: ({ state: { data, status } }) =>
    data?.action?.state === 'running' || (status === 'error' && data) ? 500 : false,
})
export type Snapshots = Awaited<ReturnType<typeof listSnapshots>>

export interface SnapshotRequest {
  readonly kind: 'save' | 'restore' | 'delete'
  readonly snapshot: string
}

export async function changeSnapshots(queries: QueryClient, { kind, snapshot }: SnapshotRequest): Promise<void> {
  const params = { snapshot }
  if (kind === 'delete') await platform().deleteSnapshot({ params })
  else {
    const { body: action } = await (kind === 'save'
      ? platform().saveSnapshot({ params })
      : platform().restoreSnapshot({ params }))
    queries.setQueryData(snapshotsQuery.queryKey, (list) => list && { ...list, action })
  }
  await queries.invalidateQueries({ queryKey: snapshotsQuery.queryKey })
}

export const compareSnapshots = async (snapshot: string, to: string) =>
  (await platform().compareSnapshots({ params: { snapshot }, query: { to } })).body.tables
