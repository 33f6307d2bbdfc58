import { implement, ok } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import type { Content, Model } from '../content/content.ts'
import { modelOf, ofKind } from '../content/find.ts'
import { toChild, toEntityInfo } from '../content/info.ts'
import { stripLabels } from '../examples/strip.ts'
import { nameTaken, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { hierarchicals as contract } from './contract.ts'

export const toHierarchical = (model: Model) => ({
  ...toEntityInfo(model),
  children: model.children.map((child) => toChild(child, 'hierarchical')),
})

interface Params {
  readonly hEntityId: string
  readonly hChildId: string
}

function childIn(content: Content, { hEntityId, hChildId }: Params) {
  const model = modelOf(content, 'hierarchical', hEntityId)
  return { model, child: model.children.find(({ id }) => id === hChildId) ?? unknown('child', hChildId) }
}

export const hierarchicals = implement(contract, {
  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'hierarchical'), query).map(toHierarchical))
  },

  async get({ params }, context) {
    return ok(toHierarchical(modelOf(await contentOf(context, params), 'hierarchical', params.hEntityId)))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) =>
      rename(content, modelOf(content, 'hierarchical', params.hEntityId), body.name),
    )
    return done()
  },

  delete: ({ params }, context) => deleteEntity(context, params, 'hierarchical', params.hEntityId),

  async getChild({ params }, context) {
    return ok(toChild(childIn(await contentOf(context, params), params).child, 'hierarchical'))
  },

  async updateChild({ params, body }, context) {
    await editContent(context, params, (content) => {
      const { model, child } = childIn(content, params)
      if (model.children.some((other) => other !== child && other.name === body.name)) nameTaken('child', body.name)
      child.name = body.name
    })
    return done()
  },

  async deleteChild({ params }, context) {
    await editContent(context, params, async (content, { uid }) => {
      const { model, child } = childIn(content, params)
      model.children = model.children.filter((other) => other !== child)
      await stripLabels(context.db, context.caller.tenant, uid, [child.id])
    })
    return done()
  },
})
