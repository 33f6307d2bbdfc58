import { type Context, implement, notFound, ok, type ReadingContext } from '@icosa/kernel'
import { byArn } from '../groups/address.ts'
import * as groups from '../groups/store.ts'
import { arnOfGroup, entryOf } from '../groups/view.ts'
import { tags as contract } from './contract.ts'
import { checkCount, checkTags } from './rules.ts'

export function tags(region: string) {
  const address = (arn: string, { caller }: ReadingContext) => byArn({ tenant: caller.tenant, region }, arn, 'path/Arn')

  async function lockGroup(arn: string, context: Context): Promise<groups.GroupRow> {
    return (await groups.lock(context.db, address(arn, context))) ?? notFound('group', arn)
  }

  /** Updates the group's row and the platform's registry in one transaction. */
  async function setTags(group: groups.GroupRow, tags: groups.GroupRow['tags'], context: Context): Promise<void> {
    await context.resources.put(entryOf(await groups.setTags(context.db, group, tags), region))
  }

  return implement(contract, {
    async GetTags({ params }, context) {
      const group = (await groups.find(context.db, address(params.Arn, context))) ?? notFound('group', params.Arn)
      return ok({ Arn: arnOfGroup(group, region), Tags: { ...group.tags } })
    },

    async Tag({ params, body }, context) {
      const group = await lockGroup(params.Arn, context)
      checkTags(body.Tags)
      const merged = { ...group.tags, ...body.Tags }
      checkCount(merged)
      await setTags(group, merged, context)
      return ok({ Arn: arnOfGroup(group, region), Tags: body.Tags })
    },

    async Untag({ params, body }, context) {
      const group = await lockGroup(params.Arn, context)
      const remaining = Object.entries(group.tags).filter(([key]) => !body.Keys.includes(key))
      await setTags(group, Object.fromEntries(remaining), context)
      return ok({ Arn: arnOfGroup(group, region), Keys: body.Keys })
    },
  })
}
