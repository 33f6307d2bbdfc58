import { randomUUID } from 'node:crypto'
import { arnOfGroup } from '../groups/shown.ts'
import type { GroupRow } from '../groups/store.ts'
import { eventSource, membershipChangeType, stateChangeType } from '../names.ts'
import type { Registered } from '../queries/registry-store.ts'

/** Something that happened to a group, as receivers get it. */
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

/** Where and when, and the how manieth event of its group. */
export interface Occasion {
  readonly region: string
  readonly now: Date
  readonly sequence: number
}

export interface MemberChange extends Registered {
  readonly change: 'add' | 'remove'
}

/** A group was created, changed or deleted: of its state only what is different. */
export function stateEvent(before: GroupRow | undefined, after: GroupRow | undefined, occasion: Occasion): GroupEvent {
  const group = (after ?? before) as GroupRow // it was there before or is there now
  const [old, now] = [stateOf(before), stateOf(after)]
  const differs = (name: string) => JSON.stringify(old[name]) !== JSON.stringify(now[name])
  const changed = (state: State) => Object.fromEntries(Object.entries(state).filter(([name]) => differs(name)))
  return event(group, occasion, stateChangeType, [], {
    'state-change': !before ? 'create' : !after ? 'delete' : 'update',
    ...(before && { 'old-state': changed(old) }),
    ...(after && { 'new-state': changed(now) }),
  })
}

/** Whether there is anything to tell of. */
export const isSameState = (before: GroupRow | undefined, after: GroupRow | undefined) =>
  before !== undefined && after !== undefined && JSON.stringify(stateOf(before)) === JSON.stringify(stateOf(after))

export function membershipEvent(group: GroupRow, changes: readonly MemberChange[], occasion: Occasion): GroupEvent {
  const resources = changes.map(({ id, type, change }) => ({
    arn: id,
    'resource-type': type,
    'membership-change': change,
  }))
  return event(
    group,
    occasion,
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
  { region, now, sequence }: Occasion,
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
    account: group.tenant,
    time: now.toISOString(),
    region,
    resources: [arn, ...members],
    detail: { 'event-sequence': sequence, group: { arn, name: group.name, 'unique-id': group.uniqueId }, ...detail },
  }
}
