import { implement, ok } from '@icosa/kernel'
import { tooMany, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { permissions as contract } from './contract.ts'
import { findApp, lockApp } from './handlers.ts'
import * as store from './store.ts'

const maxCollaborators = 100

/** Addresses of collaborators, for information only: permissions of keys are the platform's concern. */
export const permissions = implement(contract, {
  async list({ params: { appId } }, context) {
    const { collaborators } = await findApp(context, appId)
    return ok({ owner: context.caller.tenant, emails: [...collaborators] })
  },

  async add({ params: { appId }, body: { email } }, context) {
    const { collaborators } = await lockApp(context, appId)
    if (collaborators.length >= maxCollaborators) tooMany('collaborators', maxCollaborators)
    await store.update(context.db, context.caller.tenant, appId, {
      collaborators: [...new Set([...collaborators, email])],
    })
    return done()
  },

  async delete({ params: { appId }, body: { email } }, context) {
    const { collaborators } = await lockApp(context, appId)
    if (!collaborators.includes(email)) unknown('collaborator', email)
    await store.update(context.db, context.caller.tenant, appId, {
      collaborators: collaborators.filter((collaborator) => collaborator !== email),
    })
    return done()
  },

  async update({ params: { appId }, body: { emails } }, context) {
    await lockApp(context, appId)
    await store.update(context.db, context.caller.tenant, appId, { collaborators: [...new Set(emails)] })
    return done()
  },
})
