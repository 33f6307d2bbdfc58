import type { Context } from '@icosa/kernel'
import { removeEntity } from '../content/change.ts'
import type { Kind } from '../content/content.ts'
import { childrenOf, modelOf } from '../content/find.ts'
import { stripLabels } from '../examples/strip.ts'
import { done } from '../shapes/replies.ts'
import { type At, editContent } from './edit.ts'

/** Deletes an entity of any kind, and its labels. */
export async function deleteEntity(context: Context, at: At, kind: Kind, id: string) {
  await editContent(context, at, async (content, { uid }) => {
    const model = modelOf(content, kind, id)
    removeEntity(content, model)
    const ids = [model.id, ...[...childrenOf(model)].map((child) => child.id)]
    await stripLabels(context.db, context.caller.tenant, uid, ids)
  })
  return done()
}
