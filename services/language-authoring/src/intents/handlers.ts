import { randomUUID } from 'node:crypto'
import { created, implement, ok } from '@icosa/kernel'
import { rename } from '../content/change.ts'
import { type Content, type Model, noneIntent } from '../content/content.ts'
import { addModel, intentNamed, modelOf, ofKind } from '../content/find.ts'
import { toCustom, toInfo } from '../content/info.ts'
import * as exampleStore from '../examples/store.ts'
import { badArgument } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { intents as contract } from './contract.ts'

export const toIntent = (model: Model) => ({ ...toInfo(model), ...toCustom(model) })

const newIntent = (name: string): Model => ({
  id: randomUUID(),
  kind: 'intent',
  name,
  roles: [],
  features: [],
  children: [],
})

/** Takes the utterances of deleted intents. Imported files may lack it. */
const noneOf = (content: Content): Model => intentNamed(content, noneIntent) ?? addModel(content, newIntent(noneIntent))

export const intents = implement(contract, {
  async add({ params, body }, context) {
    const { id } = await editContent(context, params, (content) => addModel(content, newIntent(body.name)))
    return created(id)
  },

  async list({ params, query }, context) {
    return ok(paged(ofKind(await contentOf(context, params), 'intent'), query).map(toIntent))
  },

  async get({ params }, context) {
    return ok(toIntent(modelOf(await contentOf(context, params), 'intent', params.intentId)))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const intent = modelOf(content, 'intent', params.intentId)
      if (intent.name === noneIntent && body.name !== noneIntent) badArgument('The intent None cannot be renamed.')
      rename(content, intent, body.name)
    })
    return done()
  },

  async delete({ params, query }, context) {
    const { db, caller } = context
    await editContent(context, params, async (content, { uid }) => {
      const intent = modelOf(content, 'intent', params.intentId)
      if (intent.name === noneIntent) badArgument('The intent None cannot be deleted.')
      content.models = content.models.filter((model) => model !== intent)
      content.patterns = content.patterns.filter((rule) => rule.intent !== intent.id)
      if (query.deleteUtterances) await exampleStore.removeIntent(db, caller.tenant, uid, intent.id)
      else await exampleStore.moveIntent(db, caller.tenant, uid, intent.id, noneOf(content).id)
    })
    return done()
  },
})
