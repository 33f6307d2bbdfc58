import { type Context, Failure, implement, invalid, lockName, notFound, ok, type ReadingContext } from '@icosa/kernel'
import * as models from '../catalog/model-store.ts'
import * as inputs from '../inputs/store.ts'
import type { ResourceKind } from '../names.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { type Owner, register, resourceOf, type TagMap, tagMap } from '../shapes/owner.ts'
import { tags } from './contract.ts'

const most = 50

export const tagOperations = ({ region }: EventDetectionSettings) => {
  interface Tagged {
    readonly owner: Owner
    readonly kind: ResourceKind
    readonly name: string
    readonly tags: TagMap
  }

  async function tagged({ db, caller: { tenant } }: ReadingContext, arn: string): Promise<Tagged> {
    const owner = { tenant, region }
    const { kind, name } = resourceOf(owner, arn) ?? notFound('resource', arn)
    const found = kind === 'input' ? await inputs.find(db, tenant, name) : await models.find(db, tenant, kind, name)
    return { owner, kind, name, tags: found?.tags ?? notFound('resource', arn) }
  }

  async function put({ db, resources }: Context, { owner, kind, name }: Tagged, tags: TagMap): Promise<void> {
    if (Object.keys(tags).length > most)
      throw new Failure('invalid', `A resource has at most ${most} tags.`, { code: 'LimitExceededException' })
    if (kind === 'input') await inputs.putTags(db, owner.tenant, name, tags)
    else await models.putTags(db, owner.tenant, kind, name, tags)
    await register(resources, owner, kind, name, tags)
  }

  return implement(tags, {
    async ListTagsForResource({ query }, context) {
      const found = await tagged(context, query.resourceArn)
      return ok({ tags: Object.entries(found.tags).map(([key, value]) => ({ key, value })) })
    },

    async TagResource({ query, body }, context) {
      if (body.tags.length === 0) invalid([{ at: 'body/tags', message: 'names no tag' }])
      await lockName(context.db, query.resourceArn)
      const found = await tagged(context, query.resourceArn)
      await put(context, found, { ...found.tags, ...tagMap(body.tags) })
      return ok({})
    },

    async UntagResource({ query }, context) {
      await lockName(context.db, query.resourceArn)
      const found = await tagged(context, query.resourceArn)
      const kept = Object.entries(found.tags).filter(([key]) => !query.tagKeys.includes(key))
      await put(context, found, Object.fromEntries(kept))
      return ok({})
    },
  })
}
