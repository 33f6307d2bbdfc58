import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import type { Content, Model, SubList } from '../content/content.ts'
import { addModel, modelOf, newNumber, ofKind } from '../content/find.ts'
import { toEntityInfo } from '../content/info.ts'
import { nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { lists as contract } from './contract.ts'

interface NewSubList {
  readonly canonicalForm: string
  readonly list?: readonly string[]
}

const maxSubLists = 20_000

export const toList = (model: Model) => ({ ...toEntityInfo(model), subLists: subListsOf(model) })

const subListsOf = ({ subLists = [] }: Model): SubList[] => subLists

const numbered = (content: Content, all: readonly NewSubList[]): SubList[] =>
  all.map(({ canonicalForm, list = [] }) => ({ id: newNumber(content), canonicalForm, list: [...list] }))

function demandDistinct(subLists: readonly SubList[]): SubList[] {
  const forms = new Set<string>()
  for (const { canonicalForm } of subLists) {
    if (forms.has(canonicalForm)) nameTaken('sublist', canonicalForm)
    forms.add(canonicalForm)
  }
  if (subLists.length > maxSubLists) tooMany('sublists of a list entity', maxSubLists)
  return [...subLists]
}

export const lists = implement(contract, {
  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'list'), query).map(toList))
  },

  async add({ params, body }, context) {
    const { id } = await editContent(context, params, (content) =>
      addModel(content, {
        id: randomUUID(),
        kind: 'list',
        name: body.name,
        roles: [],
        features: [],
        children: [],
        subLists: demandDistinct(numbered(content, body.subLists ?? [])),
      }),
    )
    return created(id)
  },

  async get({ params }, context) {
    return ok(toList(modelOf(await contentOf(context, params), 'list', params.clEntityId)))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'list', params.clEntityId)
      rename(content, model, body.name)
      model.subLists = demandDistinct(numbered(content, body.subLists))
    })
    return done()
  },

  async patch({ params, body }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'list', params.clEntityId)
      model.subLists = demandDistinct([...subListsOf(model), ...numbered(content, body.subLists)])
    })
    return done()
  },

  delete: ({ params }, context) => deleteEntity(context, params, 'list', params.clEntityId),

  async addSubList({ params, body }, context) {
    const id = await editContent(context, params, (content) => {
      const model = modelOf(content, 'list', params.clEntityId)
      const [subList] = numbered(content, [body]) as [SubList]
      model.subLists = demandDistinct([...subListsOf(model), subList])
      return subList.id
    })
    return created(id)
  },

  async updateSubList({ params, body }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'list', params.clEntityId)
      const subList = subListIn(model, params.subListId)
      if (body.canonicalForm !== undefined) subList.canonicalForm = body.canonicalForm
      if (body.list !== undefined) subList.list = body.list
      demandDistinct(subListsOf(model))
    })
    return done()
  },

  async deleteSubList({ params }, context) {
    await editContent(context, params, (content) => {
      const model = modelOf(content, 'list', params.clEntityId)
      const subList = subListIn(model, params.subListId)
      model.subLists = subListsOf(model).filter((other) => other !== subList)
    })
    return done()
  },
})

const subListIn = (model: Model, id: string): SubList =>
  subListsOf(model).find((subList) => subList.id === Number(id)) ?? unknown('sublist', id)
