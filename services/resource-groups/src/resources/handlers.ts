import { implement, invalid, ok } from '@icosa/kernel'
import { lookup } from '../groups/lookup.ts'
import { readQuery, type Types } from '../queries/read.ts'
import type { FindTypes } from '../queries/types.ts'
import { resources as contract, type ResourceFilter } from './contract.ts'
import { demand } from './demand.ts'
import { listMembers, type SearchResult, search } from './search.ts'

const defaultLimit = 50

export function resources(region: string, findTypes: FindTypes) {
  const { demandGroup } = lookup(region)
  return implement(contract, {
    async ListGroupResources({ body }, context) {
      const { db, caller } = context
      const { MaxResults: limit = defaultLimit, NextToken: token, Filters = [] } = body
      const group = await demandGroup(body, context)
      const page = { limit, token, list: group.uniqueId }
      if (group.query) demand(caller, group.query.Type)
      const query = group.query && readQuery(group.query)
      const types = narrowed(query?.types ?? 'all', Filters)
      const { items, next, errors } = query
        ? await search(db, caller.tenant, query, types, page, findTypes)
        : await listMembers(db, group, types, page)
      return ok({ Resources: items.map(asItem), ...identified(items, errors) }, { next })
    },

    async SearchResources({ body }, { db, caller }) {
      const { ResourceQuery: requested, MaxResults: limit = defaultLimit, NextToken: token } = body
      const query = readQuery(requested)
      demand(caller, requested.Type)
      const page = { limit, token, list: 'search' }
      const { items, next, errors } = await search(db, caller.tenant, query, query.types, page, findTypes)
      return ok(identified(items, errors), { next })
    },
  })
}

/** Filters can only narrow: types that are not in the group's query are refused. */
function narrowed(types: Types, filters: readonly ResourceFilter[]): Types {
  return filters.reduce<Types>((remaining, { Values }, index) => {
    const requested = [...new Set(Values.map((type) => type.toLowerCase()))]
    const foreign = types === 'all' ? [] : requested.filter((type) => !types.includes(type))
    if (foreign.length > 0)
      invalid([
        { at: `body/Filters/${index}/Values`, message: `has types that are not in the group's query: ${foreign}` },
      ])
    return remaining === 'all' ? requested : remaining.filter((type) => requested.includes(type))
  }, types)
}

type Item = SearchResult['items'][number]

const identify = ({ id, type }: Item) => ({ ResourceArn: id, ResourceType: type })

const asItem = (item: Item) => ({
  Identifier: identify(item),
  ...(item.pending && { Status: { Name: 'PENDING' as const } }),
})

const identified = (items: readonly Item[], errors: SearchResult['errors']) => ({
  ResourceIdentifiers: items.map(identify),
  QueryErrors: [...errors],
})
