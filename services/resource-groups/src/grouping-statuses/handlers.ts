import { canonicalName, registryKeys } from '@icosa/dialects/signed/resource-name'
import { Failure, implement, ok } from '@icosa/kernel'
import { lookup } from '../groups/lookup.ts'
import { arnOfGroup } from '../groups/view.ts'
import { groupingStatuses as contract } from './contract.ts'
import * as store from './store.ts'

export function groupingStatuses(region: string) {
  const { demandGroup } = lookup(region)
  return implement(contract, {
    async ListGroupingStatuses({ body }, context) {
      const { MaxResults: limit = 50, NextToken: token, Filters = [] } = body
      const group = await demandGroup({ Group: body.Group }, context).catch(asBadRequest)
      const valuesOf = (name: string) => Filters.filter(({ Name }) => Name === name).map(({ Values }) => Values)
      const owner = { tenant: group.tenant, region }
      const keysOf = (text: string) => [text.toLowerCase(), ...registryKeys(canonicalName(owner, text) ?? text)]
      const keys = valuesOf('resource-arn').map((texts) => texts.flatMap(keysOf))
      const filters = { statuses: valuesOf('status'), keys }
      const { items, next } = await store.list(context.db, group, filters, { limit, token })
      const GroupingStatuses = items.map(({ id, action, status, errorCode, errorMessage, updatedAt }) => ({
        ResourceArn: id,
        Action: action,
        Status: status,
        ...(errorMessage !== null && { ErrorMessage: errorMessage }),
        ...(errorCode !== null && { ErrorCode: errorCode }),
        UpdatedAt: updatedAt.getTime() / 1_000,
      }))
      return ok({ Group: arnOfGroup(group, region), GroupingStatuses }, { next })
    },
  })
}

/** The original declares no NotFoundException here. */
function asBadRequest(error: unknown): never {
  throw error instanceof Failure && error.kind === 'notFound' ? new Failure('invalid', error.message) : error
}
