import { decodeToken, encodeToken, implement, notFound, ok } from '@icosa/kernel'
import * as functions from '../functions/store.ts'
import { nameOf } from '../functions/view.ts'
import { logs as contract } from './contract.ts'
import * as store from './store.ts'

export const logs = implement(contract, {
  async listLogs({ params, query }, { db, caller }) {
    const { tenant } = caller
    if (!(await functions.find(db, tenant, params))) notFound('function', nameOf(params))
    const limit = Math.min(query.pageSize || 100, 1000)
    const bound = ['logs', tenant, nameOf(params)]
    const start = query.pageToken ? toCursor(decodeToken(query.pageToken, bound, 'query/pageToken')) : undefined
    const lines = start
      ? await store.after(db, tenant, params, start, limit)
      : await store.newest(db, tenant, params, limit)
    const { xact, number } = lines.at(-1) ?? start ?? { xact: '0', number: '0' }
    const items = lines.map(({ at, stream, text, invocation }) => ({
      time: at.toISOString(),
      stream,
      text,
      ...(invocation !== null && { invocation }),
    }))
    return ok({ lines: items, nextPageToken: encodeToken([xact, number], bound) })
  },
})

const toCursor = ([xact, number]: readonly unknown[]): store.Cursor => ({ xact: String(xact), number: String(number) })
