import { type Context, Failure, implement, invalid, lockName, notFound, ok, type ReadingContext } from '@icosa/kernel'
import * as models from '../catalog/model-store.ts'
import * as inputs from '../inputs/store.ts'
import type { ResourceKind } from '../names.ts'
import type { EventDetectionSettings } from '../settings.ts'
import { type Owner, register, resourceOf, type TagMap, tagMap } from '../shapes/owner.ts'
import { tags } from './contract.ts'

const maxTags = 50

export const tagOperations = ({ region }: EventDetectionSettings) => {
  interface TaggedResource {
    readonly owner: Owner
    readonly kind: ResourceKind
    readonly name: string
    readonly tags: TagMap
  }

  async function findTagged({ db, caller: { tenant } }: ReadingContext, arn: string): Promise<TaggedResource> {
    const owner = { tenant, region }
    const { kind, name } = resourceOf(owner, arn) ?? notFound('resource', arn)
    const resource = kind === 'input' ? await inputs.find(db, tenant, name) : await models.find(db, tenant, kind, name)
    return { owner, kind, name, tags: resource?.tags ?? notFound('resource', arn) }
  }

  async function put({ db, resources }: Context, { owner, kind, name }: TaggedResource, tags: TagMap): Promise<void> {
    if (Object.keys(tags).length > maxTags)
      throw new Failure('invalid', `A resource has at most ${maxTags} tags.`, { code: 'LimitExceededException' })
    if (kind === 'input') await inputs.putTags(db, owner.tenant, name, tags)
    else await models.putTags(db, owner.tenant, kind, name, tags)
    await register(resources, owner, kind, name, tags)
  }

  return implement(tags, {
    async ListTagsForResource({ query }, context) {
      const resource = await findTagged(context, query.resourceArn)
      return ok({ tags: Object.entries(resource.tags).map(([key, value]) => ({ key, value })) })
    },

    async TagResource({ query, body }, context) {
      if (body.tags.length === 0) invalid([{ at: 'body/tags', message: 'is empty' }])
      await lockName(context.db, query.resourceArn)
      const resource = await findTagged(context, query.resourceArn)
      await put(context, resource, { ...resource.tags, ...tagMap(body.tags) })
      return ok({})
    },

    async UntagResource({ query }, context) {
      await lockName(context.db, query.resourceArn)
      const resource = await findTagged(context, query.resourceArn)
      const remaining = Object.entries(resource.tags).filter(([key]) => !query.tagKeys.includes(key))
      await put(context, resource, Object.fromEntries(remaining))
      return ok({})
    },
  })
}
