import { Failure, implement, invalid, type Job, ok } from '@icosa/kernel'
import type { GroupKey } from '../groups/address.ts'
import { lookup } from '../groups/lookup.ts'
import * as groups from '../groups/store.ts'
import { toGroupConfiguration } from '../groups/view.ts'
import { configurations as contract } from './contract.ts'
import { checkedConfiguration } from './rules.ts'

export function configurations(region: string, apply: Job<GroupKey>) {
  const { demandGroup, lockGroup } = lookup(region)
  return implement(contract, {
    async GetGroupConfiguration({ body }, context) {
      return ok({ GroupConfiguration: toGroupConfiguration(await demandGroup(body, context)) })
    },

    /** Replaces a proposal that is not applied yet. */
    async PutGroupConfiguration({ body }, context) {
      if (!body.Configuration)
        invalid([{ at: 'body/Configuration', message: 'is required: send an empty list to remove the configuration' }])
      const proposed = checkedConfiguration(body.Configuration)
      const group = await lockGroup(body, context)
      if (group.query)
        throw new Failure(
          'invalid',
          `The group '${group.name}' has a query, so it cannot have a configuration: use another group.`,
        )
      const { tenant, key, configuration } = group
      const state = { configuration, proposed, status: 'UPDATING' as const, failureReason: null }
      await groups.setConfiguration(context.db, group, state)
      await context.jobs.enqueue(apply, { tenant, key })
      return ok({})
    },
  })
}
