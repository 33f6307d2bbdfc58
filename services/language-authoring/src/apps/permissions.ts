import { implement, ok } from '@icosa/kernel'
import { tooMany, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { permissions as contract } from './contract.ts'
import { foundApp, lockedApp } from './handlers.ts'
import * as store from './store.ts'

const maxCollaborators = 100

/** Who works on an app: addresses that are noted. What a key may do is the platform's concern. */
export const permissions = implement(contract, {
  async list({ params: { appId } }, context) {
    const { collaborators } = await foundApp(context, appId)
    return ok({ owner: context.caller.tenant, emails: [...collaborators] })
  },

  async add({ params: { appId }, body: { email } }, context) {
    const { collaborators } = await lockedApp(context, appId)
    if (collaborators.length >= maxCollaborators) tooMany('collaborators', maxCollaborators)
    await store.update(context.db, context.caller.tenant, appId, {
      collaborators: [...new Set([...collaborators, email])],
    })
    return done()
  },

  async delete({ params: { appId }, body: { email } }, context) {
    const { collaborators } = await lockedApp(context, appId)
    if (!collaborators.includes(email)) unknown('collaborator', email)
    await store.update(context.db, context.caller.tenant, appId, {
      collaborators: collaborators.filter((one) => one !== email),
    })
    return done()
  },

  async update({ params: { appId }, body: { emails } }, context) {
    await lockedApp(context, appId)
    await store.update(context.db, context.caller.tenant, appId, { collaborators: [...new Set(emails)] })
    return done()
  },
})
