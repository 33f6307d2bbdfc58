import type { Input } from '@icosa/contract'
import { type Context, Failure, invalid, lockName } from '@icosa/kernel'
import { checkedConfiguration } from '../configurations/rules.ts'
import type { GroupEvents } from '../events/events.ts'
import { reservedName } from '../names.ts'
import { requestedTypes } from '../queries/read.ts'
import { checkCount, checkTags } from '../tags/rules.ts'
import { keyOf } from './address.ts'
import type { groups } from './contract.ts'
import * as store from './store.ts'
import { entryOf } from './view.ts'

/** Validates a request and returns its group. */
export function requestedGroup(body: Input<typeof groups.CreateGroup>['body']): store.NewGroup {
  const { Name, Description = null, ResourceQuery: query = null, Configuration = [], Tags = {} } = body
  if (Name.toLowerCase().startsWith(reservedName))
    invalid([{ at: 'body/Name', message: `must not begin with ${reservedName}, which is reserved` }])
  checkTags(Tags)
  checkCount(Tags)
  if (query && body.Configuration)
    invalid([{ at: 'body', message: 'must have a ResourceQuery or a Configuration, not both' }])
  const configuration = checkedConfiguration(Configuration)
  return {
    name: Name,
    description: Description,
    tags: Tags,
    query,
    resourceTypes: query ? requestedTypes(query) : [],
    configuration: configuration.length > 0 ? configuration : null,
  }
}

export function creating(region: string, events: GroupEvents) {
  return async (group: store.NewGroup, context: Context): Promise<store.GroupRow> => {
    const { db, caller, clock, resources } = context
    const { tenant } = caller
    await lockName(db, `resource groups of ${tenant}`) // concurrent requests must not exceed the limit
    if ((await store.count(db, tenant)) >= store.maxGroups)
      throw new Failure('conflict', `You have ${store.maxGroups} groups, which is the limit: delete one first.`)
    const row = await store.insert(db, { tenant, key: keyOf(group.name) }, group, clock.now())
    if (!row) throw new Failure('alreadyExists', `A group '${group.name}' already exists: choose another name.`)
    await resources.put(entryOf(row, region))
    await events.stateChanged(context, undefined, row)
    await events.membersChanged(context, row)
    return row
  }
}
