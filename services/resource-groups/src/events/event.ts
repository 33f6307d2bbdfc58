import { randomUUID } from 'node:crypto'
import { accountOf } from '@icosa/dialects/signed/arn'
import type { GroupRow } from '../groups/store.ts'
import { arnOfGroup } from '../groups/view.ts'
import { eventSource, membershipChangeType, stateChangeType } from '../names.ts'
import type { Registered } from '../queries/registry-store.ts'

export interface GroupEvent {
  readonly version: '0'
  /** The same for every attempt to deliver it. */
  readonly id: string
  readonly 'detail-type': string
  readonly source: string
  readonly account: string
  readonly time: string
  readonly region: string
  readonly resources: readonly string[]
  readonly detail: object
}

export interface EventOrigin {
  readonly region: string
  readonly now: Date
  readonly sequence: number
}

export interface MemberChange extends Registered {
  readonly change: 'add' | 'remove'
}

/** Reports that a group was created, changed or deleted, with the changed parts of its state. */
export function stateEvent(before: GroupRow | undefined, after: GroupRow | undefined, origin: EventOrigin): GroupEvent {
  const group = (after ?? before) as GroupRow // at least one is defined
  const [oldState, newState] = [stateOf(before), stateOf(after)]
  const differs = (name: string) => JSON.stringify(oldState[name]) !== JSON.stringify(newState[name])
  const changed = (state: State) => Object.fromEntries(Object.entries(state).filter(([name]) => differs(name)))
  return event(group, origin, stateChangeType, [], {
    'state-change': !before ? 'create' : !after ? 'delete' : 'update',
    ...(before && { 'old-state': changed(oldState) }),
    ...(after && { 'new-state': changed(newState) }),
  })
}

export const isSameState = (before: GroupRow | undefined, after: GroupRow | undefined) =>
  before !== undefined && after !== undefined && JSON.stringify(stateOf(before)) === JSON.stringify(stateOf(after))

export function membershipEvent(group: GroupRow, changes: readonly MemberChange[], origin: EventOrigin): GroupEvent {
  const resources = changes.map(({ id, type, change }) => ({
    arn: id,
    'resource-type': type,
    'membership-change': change,
  }))
  return event(
    group,
    origin,
    membershipChangeType,
    resources.map(({ arn }) => arn),
    { resources },
  )
}

type State = Readonly<Record<string, unknown>>

function stateOf(group: GroupRow | undefined): State {
  return {
    ...(group && group.description !== null && { description: group.description }),
    ...(group?.query && { 'resource-query': group.query }),
    ...(group?.configuration && { 'group-configuration': group.configuration }),
  }
}

function event(
  group: GroupRow,
  { region, now, sequence }: EventOrigin,
  type: string,
  members: readonly string[],
  detail: object,
): GroupEvent {
  const arn = arnOfGroup(group, region)
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': type,
    source: eventSource,
    account: accountOf(group.tenant),
    time: now.toISOString(),
    region,
    resources: [arn, ...members],
    detail: { 'event-sequence': sequence, group: { arn, name: group.name, 'unique-id': group.uniqueId }, ...detail },
  }
}
