import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import type { Child, Content, Model } from '../content/content.ts'
import { demandChildNames, entityNamed, modelOf, ofKind } from '../content/find.ts'
import { toChild, toEntityInfo } from '../content/info.ts'
import { badArgument, inUse, nameTaken, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { composites as contract } from './contract.ts'

export const toComposite = (model: Model) => ({
  ...toEntityInfo(model),
  children: model.children.map((child) => toChild(child, 'composite')),
})

function childNamed(content: Content, composite: Model, name: string): Child {
  const entity = entityNamed(content, name) ?? badArgument(`There is no entity '${name}'.`)
  if (entity.kind === 'composite')
    badArgument(`'${composite.name}' cannot contain '${name}', which is a composite itself.`)
  return { id: randomUUID(), name, features: [], children: [] }
}

export const composites = implement(contract, {
  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'composite'), query).map(toComposite))
  },

  async get({ params }, context) {
    return ok(toComposite(modelOf(await contentOf(context, params), 'composite', params.cEntityId)))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'composite', params.cEntityId)
      if (body.name !== undefined) rename(content, model, body.name)
      if (body.children === undefined) return
      const existing = new Map(model.children.map((child) => [child.name, child]))
      model.children = body.children.map((name) => existing.get(name) ?? childNamed(content, model, name))
      demandChildNames(model.children)
    })
    return done()
  },

  delete: ({ params }, context) => deleteEntity(context, params, 'composite', params.cEntityId),

  async addChild({ params, body }, context) {
    const id = await editContent(context, params, (content) => {
      const model = modelOf(content, 'composite', params.cEntityId)
      if (model.children.some(({ name }) => name === body.name)) nameTaken('child', body.name)
      const child = childNamed(content, model, body.name)
      model.children.push(child)
      demandChildNames(model.children)
      return child.id
    })
    return created(id)
  },

  async deleteChild({ params }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'composite', params.cEntityId)
      const child = model.children.find(({ id }) => id === params.cChildId) ?? unknown('child', params.cChildId)
      if (model.children.length === 1)
        inUse('child', child.name, `'${model.name}', which has no other`, 'Delete that instead.')
      model.children = model.children.filter((other) => other !== child)
    })
    return done()
  },
})
