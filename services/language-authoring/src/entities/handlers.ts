import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import type { Child, Content, Model } from '../content/content.ts'
import { addModel, childrenOf, demandChildNames, entityNamed, findChild, modelOf, ofKind } from '../content/find.ts'
import { toChild, toCustom, toEntityInfo } from '../content/info.ts'
import { stripLabels } from '../examples/strip.ts'
import { Fields } from '../exchange/fields.ts'
import { badArgument, nameTaken, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { entities as contract, type NewChild } from './contract.ts'

export const toEntity = (model: Model) => ({
  ...toEntityInfo(model),
  children: model.children.map((child) => toChild(child, 'entity')),
  ...toCustom(model),
})

/** Nesting of entities. */
const maxDepth = 5

function newChild(content: Content, child: NewChild, at: string, depth = 1): Child {
  if (depth > maxDepth) badArgument(`${at} is more than ${maxDepth} levels deep.`)
  const fields = new Fields(child, at)
  const instanceOf = fields.has('instanceOf') ? fields.text('instanceOf') : undefined
  if (instanceOf !== undefined) demandEntity(content, instanceOf)
  const children = fields
    .list('children')
    .map((value, index) => newChild(content, value as NewChild, `${at}.children[${index}]`, depth + 1))
  demandChildNames(children)
  return {
    id: randomUUID(),
    name: fields.name(),
    ...(instanceOf !== undefined && { instanceOf }),
    features: [],
    children,
  }
}

function demandEntity(content: Content, name: string): void {
  if (!entityNamed(content, name)) badArgument(`There is no entity '${name}' for instanceOf.`)
}

/** Finds an entity or a part of one. */
const entityOrPart = (content: Content, id: string): Model | Child =>
  content.models.find((model) => model.id === id && model.kind === 'entity') ??
  findChild(content, id)?.child ??
  unknown('entity', id)

export const entities = implement(contract, {
  async add({ params, body }, context) {
    const { id } = await editContent(context, params, (content) => {
      const children = (body.children ?? []).map((child, index) => newChild(content, child, `children[${index}]`))
      demandChildNames(children)
      return addModel(content, { id: randomUUID(), kind: 'entity', name: body.name, roles: [], features: [], children })
    })
    return created(id)
  },

  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'entity'), query).map(toEntity))
  },

  async get({ params }, context) {
    const content = await contentOf(context, params)
    const place = findChild(content, params.entityId)
    if (!place) return ok(toEntity(modelOf(content, 'entity', params.entityId)))
    return ok({
      ...toChild(place.child, 'entity'),
      roles: [],
      children: place.child.children.map((child) => toChild(child, 'entity')),
    })
  },

  async delete({ params }, context) {
    const content = await contentOf(context, params)
    if (!findChild(content, params.entityId)) return deleteEntity(context, params, 'entity', params.entityId)
    await editContent(context, params, async (changing, { uid }) => {
      const { siblings, child } = findChild(changing, params.entityId) ?? unknown('entity', params.entityId)
      siblings.splice(siblings.indexOf(child), 1)
      const ids = [child.id, ...[...childrenOf(child)].map(({ id }) => id)]
      await stripLabels(context.db, context.caller.tenant, uid, ids)
    })
    return done()
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const place = findChild(content, params.entityId)
      if (!place) {
        const model = modelOf(content, 'entity', params.entityId)
        if (body.instanceOf) badArgument('Only a part of an entity can be an instance of another one.')
        if (body.name !== undefined) rename(content, model, body.name)
        return
      }
      const { child, siblings } = place
      if (body.name !== undefined) {
        if (siblings.some((other) => other !== child && other.name === body.name)) nameTaken('child', body.name)
        child.name = body.name
      }
      if (body.instanceOf) demandEntity(content, body.instanceOf)
      if (body.instanceOf !== undefined) child.instanceOf = body.instanceOf
    })
    return done()
  },

  async addChild({ params, body }, context) {
    const id = await editContent(context, params, (content) => {
      const { children } = entityOrPart(content, params.entityId)
      const child = newChild(content, body, 'body')
      if (children.some(({ name }) => name === child.name)) nameTaken('child', child.name)
      children.push(child)
      demandChildNames(children)
      return child.id
    })
    return created(id)
  },
})
