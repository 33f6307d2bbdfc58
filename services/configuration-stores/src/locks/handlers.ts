import type { Conditions } from '@icosa/kernel'
import { type Context, implement } from '@icosa/kernel'
import { change, okWith } from '../key-values/change.ts'
import { keyNotFound } from '../key-values/not-found.ts'
import { type IdentityInput, readIdentity } from '../key-values/read.ts'
import type { Revision } from '../key-values/store.ts'
import { locks as contract } from './contract.ts'

const setLocked =
  (locked: boolean) => async (input: IdentityInput & { readonly headers: Conditions }, context: Context) => {
    const identity = readIdentity(input)
    const { after } = await change(context, input.headers, identity, (current) => {
      if (!current) return keyNotFound(identity)
      return current.locked === locked ? 'leave' : { ...contentOf(current), locked }
    })
    return okWith(after ?? keyNotFound(identity))
  }

const contentOf = ({ value, contentType, tags }: Revision) => ({ value, contentType, tags })

export const locks = implement(contract, { put: setLocked(true), delete: setLocked(false) })
