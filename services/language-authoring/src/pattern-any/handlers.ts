import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import type { Content, ExplicitItem, Model } from '../content/content.ts'
import { addModel, modelOf, newNumber, ofKind } from '../content/find.ts'
import { toEntityInfo } from '../content/info.ts'
import { nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { patternAny as contract } from './contract.ts'

const maxItems = 1_000

const itemsOf = ({ explicitList = [] }: Model): ExplicitItem[] => explicitList
export const toPatternAny = (model: Model) => ({ ...toEntityInfo(model), explicitList: itemsOf(model) })

const numbered = (content: Content, texts: readonly string[]): ExplicitItem[] =>
  texts.map((explicitListItem) => ({ id: newNumber(content), explicitListItem }))

function demandDistinct(items: readonly ExplicitItem[]): ExplicitItem[] {
  const texts = new Set<string>()
  for (const { explicitListItem } of items) {
    if (texts.has(explicitListItem)) nameTaken('item', explicitListItem)
    texts.add(explicitListItem)
  }
  if (items.length > maxItems) tooMany('items of an explicit list', maxItems)
  return [...items]
}

const itemIn = (model: Model, id: string): ExplicitItem =>
  itemsOf(model).find((item) => item.id === Number(id)) ?? unknown('item', id)

export const patternAny = implement(contract, {
  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'patternAny'), query).map(toPatternAny))
  },

  async create({ params, body }, context) {
    const { id } = await editContent(context, params, (content) =>
      addModel(content, {
        id: randomUUID(),
        kind: 'patternAny',
        name: body.name,
        roles: [],
        features: [],
        children: [],
        explicitList: demandDistinct(numbered(content, body.explicitList ?? [])),
      }),
    )
    return created(id)
  },

  async get({ params }, context) {
    return ok(toPatternAny(modelOf(await contentOf(context, params), 'patternAny', params.patternAnyId)))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'patternAny', params.patternAnyId)
      if (body.name !== undefined) rename(content, model, body.name)
      if (body.explicitList !== undefined) model.explicitList = demandDistinct(numbered(content, body.explicitList))
    })
    return done()
  },

  delete: ({ params }, context) => deleteEntity(context, params, 'patternAny', params.patternAnyId),

  async getExplicitList({ params }, context) {
    return ok(itemsOf(modelOf(await contentOf(context, params), 'patternAny', params.patternAnyId)))
  },

  async addExplicitListItem({ params, body }, context) {
    const id = await editContent(context, params, (content) => {
      const model = modelOf(content, 'patternAny', params.patternAnyId)
      const [item] = numbered(content, [body.explicitListItem]) as [ExplicitItem]
      model.explicitList = demandDistinct([...itemsOf(model), item])
      return item.id
    })
    return created(id)
  },

  async getExplicitListItem({ params }, context) {
    return ok(itemIn(modelOf(await contentOf(context, params), 'patternAny', params.patternAnyId), params.itemId))
  },

  async updateExplicitListItem({ params, body }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'patternAny', params.patternAnyId)
      itemIn(model, params.itemId).explicitListItem = body.explicitListItem
      demandDistinct(itemsOf(model))
    })
    return done()
  },

  async deleteExplicitListItem({ params }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'patternAny', params.patternAnyId)
      const item = itemIn(model, params.itemId)
      model.explicitList = itemsOf(model).filter((other) => other !== item)
    })
    return done()
  },
})
