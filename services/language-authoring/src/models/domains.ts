import { type Handlers, implement, ok } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { removeEntity } from '../content/change.ts'
import type { Content, Model } from '../content/content.ts'
import { childrenOf } from '../content/find.ts'
import { toCustom, toEntityInfo, toInfo } from '../content/info.ts'
import * as exampleStore from '../examples/store.ts'
import { stripLabels } from '../examples/strip.ts'
import { unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { unsupported } from '../unsupported.ts'
import { contentOf, editContent, findVersion } from '../versions/edit.ts'
import { domains as contract } from './contract.ts'

const isCopied = ({ inherits }: Model) => inherits !== undefined
const toCopied = (model: Model) => ({
  ...(model.kind === 'intent' ? toInfo(model) : toEntityInfo(model)),
  ...toCustom(model),
})

const copiedModels = (content: Content, matches: (model: Model) => boolean = () => true) =>
  content.models.filter((model) => isCopied(model) && matches(model)).map(toCopied)

type Adding = Pick<typeof contract, 'add' | 'addIntent' | 'addEntity'>

/** The original's domains cannot be shipped; copies from them are only imported. */
const adding: Handlers<Adding> = {
  async add({ params }, context) {
    await findVersion(context, params)
    return notSupported(unsupported.prebuiltDomains)
  },
  async addIntent({ params }, context) {
    await findVersion(context, params)
    return notSupported(unsupported.prebuiltDomains)
  },
  async addEntity({ params }, context) {
    await findVersion(context, params)
    return notSupported(unsupported.prebuiltDomains)
  },
}

export const domains = implement(contract, {
  ...adding,
  listAvailable: async () => ok([]),
  listAvailableForCulture: async () => ok([]),
  addApp: async () => notSupported(unsupported.prebuiltDomains),

  async delete({ params }, context) {
    const { db, caller } = context
    await editContent(context, params, async (content, { uid }) => {
      const models = content.models.filter(({ inherits }) => inherits?.domain_name === params.domainName)
      if (models.length === 0) unknown('prebuilt domain', params.domainName)
      for (const model of models) {
        if (model.kind !== 'intent') {
          removeEntity(content, model)
          continue
        }
        content.models = content.models.filter((other) => other !== model)
        content.patterns = content.patterns.filter(({ intent }) => intent !== model.id)
        await exampleStore.removeIntent(db, caller.tenant, uid, model.id)
      }
      const ids = models.flatMap((model) => [model.id, ...[...childrenOf(model)].map(({ id }) => id)])
      await stripLabels(db, caller.tenant, uid, ids)
    })
    return done()
  },

  async listIntents({ params }, context) {
    return ok(copiedModels(await contentOf(context, params), ({ kind }) => kind === 'intent'))
  },

  async listEntities({ params }, context) {
    return ok(copiedModels(await contentOf(context, params), ({ kind }) => kind !== 'intent'))
  },

  async listModels({ params }, context) {
    return ok(copiedModels(await contentOf(context, params)))
  },
})
