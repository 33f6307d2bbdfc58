import { implement, ok } from '@icosa/kernel'
import { tooMany } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { contentOf, edited } from '../versions/edit.ts'
import { versionSettings as contract } from './contract.ts'

const maxSettings = 50

export const versionSettings = implement(contract, {
  async list({ params }, context) {
    const { settings } = await contentOf(context, params)
    return ok(settings.map(({ name, value }) => ({ name, value: String(value) })))
  },

  async update({ params, body }, context) {
    await edited(context, params, (content) => {
      const changed = new Map(content.settings.map((one) => [one.name, one]))
      for (const one of body) changed.set(one.name, one)
      content.settings = [...changed.values()]
      if (content.settings.length > maxSettings) tooMany('settings of a version', maxSettings)
    })
    return done()
  },
})
