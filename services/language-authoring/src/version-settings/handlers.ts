import { implement, ok } from '@icosa/kernel'
import { tooMany } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { versionSettings as contract } from './contract.ts'

const maxSettings = 50

export const versionSettings = implement(contract, {
  async list({ params }, context) {
    const { settings } = await contentOf(context, params)
    return ok(settings.map(({ name, value }) => ({ name, value: String(value) })))
  },

  async update({ params, body }, context) {
    await editContent(context, params, (content) => {
      const byName = new Map(content.settings.map((setting) => [setting.name, setting]))
      for (const setting of body) byName.set(setting.name, setting)
      content.settings = [...byName.values()]
      if (content.settings.length > maxSettings) tooMany('settings of a version', maxSettings)
    })
    return done()
  },
})
