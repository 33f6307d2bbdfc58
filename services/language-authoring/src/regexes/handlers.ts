import { randomUUID } from 'node:crypto'
import { created, implement, ok, withPreparation } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import type { Model } from '../content/content.ts'
import { addModel, modelOf, ofKind } from '../content/find.ts'
import { toEntityInfo } from '../content/info.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent, findVersion } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { regexes as contract } from './contract.ts'
import { demandSafeRegex } from './safe.ts'

export const toRegex = (model: Model) => ({ ...toEntityInfo(model), regexPattern: model.regexPattern ?? '' })

export const regexes = implement(contract, {
  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'regex'), query).map(toRegex))
  },

  create: withPreparation(
    async ({ params, body: { regexPattern } }, context) => {
      await findVersion(context, params)
      await demandSafeRegex(regexPattern)
    },
    async ({ params, body: { name, regexPattern } }, context) => {
      const { id } = await editContent(context, params, (content) =>
        addModel(content, {
          id: randomUUID(),
          kind: 'regex',
          name,
          roles: [],
          features: [],
          children: [],
          regexPattern,
        }),
      )
      return created(id)
    },
  ),

  async get({ params }, context) {
    return ok(toRegex(modelOf(await contentOf(context, params), 'regex', params.regexEntityId)))
  },

  update: withPreparation(
    async ({ params, body: { regexPattern } }, context) => {
      await findVersion(context, params)
      if (regexPattern !== undefined) await demandSafeRegex(regexPattern)
    },
    async ({ params, body: { name, regexPattern } }, context) => {
      await editContent(context, params, (content) => {
        const model = modelOf(content, 'regex', params.regexEntityId)
        if (name !== undefined) rename(content, model, name)
        if (regexPattern !== undefined) model.regexPattern = regexPattern
      })
      return done()
    },
  ),

  delete: ({ params }, context) => deleteEntity(context, params, 'regex', params.regexEntityId),
})
