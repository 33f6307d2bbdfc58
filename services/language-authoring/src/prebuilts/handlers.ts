import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { addModel, modelOf, ofKind } from '../content/find.ts'
import { toEntityInfo } from '../content/info.ts'
import { unsupportedPrebuilts } from '../engine/prebuilt/recognizers.ts'
import { badArgument } from '../shapes/failures.ts'
import { paged } from '../shapes/replies.ts'
import { unsupported } from '../unsupported.ts'
import { contentOf, editContent, findVersion } from '../versions/edit.ts'
import { deleteEntity } from '../versions/remove-entity.ts'
import { prebuilts as contract } from './contract.ts'
import { isPrebuilt, prebuiltEntities } from './data.ts'

export const prebuilts = implement(contract, {
  async add({ params, body }, context) {
    const models = await editContent(context, params, (content) => {
      const unavailable = body.find((name) => unsupportedPrebuilts.has(name))
      if (unavailable !== undefined) notSupported(unsupported.names, `The prebuilt entity ${unavailable}`)
      const unknown = body.find((name) => !isPrebuilt(name))
      if (unknown !== undefined) badArgument(`There is no prebuilt entity '${unknown}': GET listprebuilts lists them.`)
      return body.map((name) =>
        addModel(content, { id: randomUUID(), kind: 'prebuilt', name, roles: [], features: [], children: [] }),
      )
    })
    return created(models.map(toEntityInfo))
  },

  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'prebuilt'), query).map(toEntityInfo))
  },

  async get({ params }, context) {
    return ok(toEntityInfo(modelOf(await contentOf(context, params), 'prebuilt', params.prebuiltId)))
  },

  delete: ({ params }, context) => deleteEntity(context, params, 'prebuilt', params.prebuiltId),

  async listAvailable({ params }, context) {
    await findVersion(context, params)
    return ok(prebuiltEntities.map((entity) => ({ ...entity })))
  },
})
