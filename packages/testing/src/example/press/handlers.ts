import { implement, notFound, ok } from '@icosa/kernel'
import * as store from '../notes/store.ts'
import { press as contract } from './contract.ts'

/** The service's second API: another key, at a mount with a parameter. */
export const press = implement(contract, {
  async getProof({ params: { edition, noteId } }, { db, caller }) {
    const { title, text } = (await store.find(db, caller.tenant, noteId)) ?? notFound('note', noteId)
    return ok({ edition, text: `${title.toUpperCase()}\n\n${text}` })
  },
})
