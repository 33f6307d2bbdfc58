import { implement, ok } from '@icosa/kernel'
import { toComposite } from '../composites/handlers.ts'
import type { Model } from '../content/content.ts'
import { findChild } from '../content/find.ts'
import { toEntityInfo } from '../content/info.ts'
import { toEntity } from '../entities/handlers.ts'
import * as exampleStore from '../examples/store.ts'
import { toHierarchical } from '../hierarchicals/handlers.ts'
import { toIntent } from '../intents/handlers.ts'
import { toList } from '../lists/handlers.ts'
import { toPatternAny } from '../pattern-any/handlers.ts'
import { toRegex } from '../regexes/handlers.ts'
import { unknown } from '../shapes/failures.ts'
import { paged } from '../shapes/replies.ts'
import { contentOf, readVersion } from '../versions/edit.ts'
import { models as contract } from './contract.ts'

const views = {
  intent: toIntent,
  entity: toEntity,
  hierarchical: toHierarchical,
  composite: toComposite,
  list: toList,
  patternAny: toPatternAny,
  regex: toRegex,
  prebuilt: toEntityInfo,
} satisfies Record<Model['kind'], (model: Model) => object>

type ModelInfo = (typeof contract)['list']['replies'][200]['~static'][number]

export const models = implement(contract, {
  async list({ params, query }, context) {
    const { models: all } = await contentOf(context, params)
    return ok(paged(all, query).map((model) => views[model.kind](model) as ModelInfo))
  },

  async listExamples({ params, query }, context) {
    const { uid, content } = await readVersion(context, params)
    const { modelId } = params
    if (!content.models.some(({ id }) => id === modelId) && !isChild(content, modelId)) unknown('model', modelId)
    const rows = await exampleStore.ofModel(context.db, context.caller.tenant, uid, modelId, query)
    return ok(rows.map(({ id, text }) => ({ id: Number(id), text })))
  },
})

const isChild = (content: Parameters<typeof findChild>[0], id: string) =>
  findChild(content, id) !== undefined || findChild(content, id, 'hierarchical') !== undefined
