import { implement } from '@icosa/kernel'
import { storeOf } from '../data-plane/authentication/authenticate.ts'
import { readPageOf } from '../data-plane/lists/pages.ts'
import { selecting } from '../data-plane/lists/select.ts'
import { KeyValue } from '../key-values/contract.ts'
import { readSelection } from '../key-values/selection.ts'
import * as store from '../key-values/store.ts'
import { toKeyValue } from '../key-values/view.ts'
import { revisions as contract } from './contract.ts'

export const revisions = implement(contract, {
  async list(input, context) {
    const selection = readSelection(input)
    const select = selecting(KeyValue, input.query.$select)
    return readPageOf<store.Revision, KeyValue>(input, context, {
      path: '/revisions',
      toItem: (row) => select(toKeyValue(row)),
      keysOf: ({ number }) => [number],
      etagOf: ({ number }) => number,
      read: (window) => store.listRevisions(context.db, storeOf(context), selection, window),
    })
  },
})
