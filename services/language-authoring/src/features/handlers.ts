import { created, implement, ok } from '@icosa/kernel'
import { dropRelations, renamePhraseList } from '../content/change.ts'
import type { Content, PhraseList } from '../content/content.ts'
import { newNumber } from '../content/find.ts'
import { nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { done, paged } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { phraseLists as contract } from './contract.ts'

const maxPhraseLists = 500

const toPhraseList = ({ extra, ...list }: PhraseList) => list

const listIn = (content: Content, id: string): PhraseList =>
  content.phraseLists.find((list) => list.id === Number(id)) ?? unknown('phrase list', id)

function demandNew(content: Content, name: string, except?: PhraseList): void {
  if (content.phraseLists.some((list) => list !== except && list.name === name)) nameTaken('phrase list', name)
}

export const phraseLists = implement(contract, {
  async add({ params, body }, context) {
    const { name, phrases, isExchangeable = true, enabledForAllModels = true } = body
    const id = await editContent(context, params, (content) => {
      demandNew(content, name)
      if (content.phraseLists.length >= maxPhraseLists) tooMany('phrase lists', maxPhraseLists)
      const list = { id: newNumber(content), name, phrases, isExchangeable, enabledForAllModels, isActive: true }
      content.phraseLists.push(list)
      return list.id
    })
    return created(id)
  },

  async list({ params, query }, context) {
    return ok(paged((await contentOf(context, params)).phraseLists, query).map(toPhraseList))
  },

  async get({ params }, context) {
    return ok(toPhraseList(listIn(await contentOf(context, params), params.phraselistId)))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const list = listIn(content, params.phraselistId)
      const { name, ...rest } = body ?? {}
      if (name !== undefined && name !== list.name) {
        demandNew(content, name, list)
        renamePhraseList(content, list.name, name)
        list.name = name
      }
      const { phrases, isActive, isExchangeable, enabledForAllModels } = rest
      Object.assign(list, {
        ...(phrases !== undefined && { phrases }),
        ...(isActive !== undefined && { isActive }),
        ...(isExchangeable !== undefined && { isExchangeable }),
        ...(enabledForAllModels !== undefined && { enabledForAllModels }),
      })
    })
    return done()
  },

  async delete({ params }, context) {
    await editContent(context, params, (content) => {
      const list = listIn(content, params.phraselistId)
      content.phraseLists = content.phraseLists.filter((other) => other !== list)
      dropRelations(content, ({ featureName }) => featureName === list.name)
    })
    return done()
  },

  async listFeatures({ params, query }, context) {
    const { phraseLists: all, regexFeatures } = await contentOf(context, params)
    return ok({
      phraselistFeatures: paged(all, query).map(toPhraseList),
      patternFeatures: paged(regexFeatures, query).map(({ id, name, pattern, isActive = true }) => ({
        id,
        name,
        isActive,
        enabledForAllModels: true,
        pattern,
      })),
    })
  },
})
