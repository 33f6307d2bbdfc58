import { Failure, implement, ok } from '@icosa/kernel'
import type { GroupEvents } from '../events/events.ts'
import { lookup } from '../groups/lookup.ts'
import * as groups from '../groups/store.ts'
import { queries as contract } from './contract.ts'
import { requestedTypes } from './read.ts'

export function queries(region: string, events: GroupEvents) {
  const { demandGroup, lockGroup } = lookup(region)
  return implement(contract, {
    async GetGroupQuery({ body }, context) {
      const { name, query } = await demandGroup(body, context)
      if (!query) throw new Failure('invalid', `The group '${name}' has no query.`)
      return ok({ GroupQuery: { GroupName: name, ResourceQuery: query } })
    },

    async UpdateGroupQuery({ body }, context) {
      const types = requestedTypes(body.ResourceQuery)
      const before = await lockGroup(body, context)
      if (before.configuration || before.proposed)
        throw new Failure(
          'invalid',
          `The group '${before.name}' has a configuration, so it cannot have a query: use another group.`,
        )
      const after = await groups.setQuery(context.db, before, body.ResourceQuery, types)
      await events.stateChanged(context, before, after)
      await events.membersChanged(context, after)
      return ok({ GroupQuery: { GroupName: after.name, ResourceQuery: body.ResourceQuery } })
    },
  })
}
