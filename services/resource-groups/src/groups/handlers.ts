import { Failure, implement, ok } from '@icosa/kernel'
import { canonicalType, isProtected } from '../configurations/rules.ts'
import type { GroupEvents } from '../events/events.ts'
import * as members from '../members/store.ts'
import { allTypes } from '../names.ts'
import { groups as contract, type GroupFilter } from './contract.ts'
import { creating, requestedGroup } from './create.ts'
import { lookup } from './lookup.ts'
import * as store from './store.ts'
import { arnOfGroup, toGroup, toGroupConfiguration } from './view.ts'

export function groups(region: string, events: GroupEvents) {
  const create = creating(region, events)
  const { demandGroup, lockGroup } = lookup(region)

  return implement(contract, {
    async CreateGroup({ body }, context) {
      const row = await create(requestedGroup(body), context)
      return ok({
        Group: toGroup(row, region),
        Tags: { ...row.tags },
        ...(row.query && { ResourceQuery: row.query }),
        ...(row.configuration && { GroupConfiguration: toGroupConfiguration(row) }),
      })
    },

    async DeleteGroup({ body }, context) {
      const { db } = context
      const group = await lockGroup(body, context)
      if (isProtected(group.configuration) && (await members.hasAny(db, group)))
        throw new Failure(
          'conflict',
          `The group '${group.name}' is protected while it has members: ungroup them first.`,
        )
      await events.stateChanged(context, group, undefined)
      await store.remove(db, group)
      await context.resources.remove(arnOfGroup(group, region))
      return ok({ Group: toGroup(group, region) })
    },

    async GetGroup({ body }, context) {
      return ok({ Group: toGroup(await demandGroup(body, context), region) })
    },

    async ListGroups({ query, body }, { db, caller }) {
      const { maxResults: limit, nextToken: token } = query
      const { items, next } = await store.list(db, caller.tenant, { limit, token, ...filtersOf(body.Filters) })
      const list = items.map((row) => toGroup(row, region))
      return ok(
        { Groups: list, GroupIdentifiers: list.map(({ Name, GroupArn }) => ({ GroupName: Name, GroupArn })) },
        { next },
      )
    },

    async UpdateGroup({ body }, context) {
      const before = await lockGroup(body, context)
      if (body.Description === undefined) return ok({ Group: toGroup(before, region) })
      const after = await store.setDescription(context.db, before, body.Description)
      await events.stateChanged(context, before, after)
      return ok({ Group: toGroup(after, region) })
    },
  })
}

/** A group of all types matches every type. */
function filtersOf(filters: readonly GroupFilter[] = []): store.GroupFilters {
  const valuesOf = (name: GroupFilter['Name']) =>
    filters.filter(({ Name }) => Name === name).map(({ Values }) => Values)
  return {
    resourceTypes: valuesOf('resource-type').map((types) => [...types, allTypes].map((type) => type.toLowerCase())),
    configurationTypes: valuesOf('configuration-type').map((types) => types.map(canonicalType)),
  }
}
