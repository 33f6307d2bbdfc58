import { implement, ok } from '@icosa/kernel'
import { checked } from '../stores/address.ts'
import { missing } from '../stores/handlers.ts'
import * as stores from '../stores/store.ts'
import { absent } from './absent.ts'
import { keyValues as contract, type KeyValue } from './contract.ts'
import * as store from './store.ts'

/** What the management plane shows of the data. */
export const keyValues = implement(contract, {
  async listKeyValue({ params, body }, { db, caller }) {
    const owner = (await stores.find(db, caller.tenant, checked(params))) ?? missing(params)
    const label = body.label === '\0' ? '' : (body.label ?? '')
    const identity = { key: body.key, label }
    return ok(managed((await store.find(db, owner, identity)) ?? absent(identity)))
  },
})

function managed({ key, label, value, contentType, tags, locked, etag, changedAt }: store.Revision): KeyValue {
  return {
    key,
    ...(label !== '' && { label }),
    ...(value !== null && { value }),
    ...(contentType !== null && { contentType }),
    eTag: etag,
    lastModified: changedAt.toISOString(),
    locked,
    tags: { ...tags },
  }
}
