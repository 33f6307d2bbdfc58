import { Failure, implement, ok } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { history as contract } from './contract.ts'
import { eventsOf, maxEvents, traceOfRequest } from './store.ts'

export const history = implement<typeof contract, ServiceRuntime>(contract, {
  async getHistory({ query: { trace, request } }, { db, caller, runtime: { recorder } }) {
    if ((trace === undefined) === (request === undefined))
      throw new Failure('invalid', 'Name either a trace or a request.')
    const id = trace ?? (await traceOfRequest(db, caller.tenant, request ?? ''))
    const events = id === undefined ? [] : await eventsOf(db, caller.tenant, id)
    return ok({
      value: events.slice(0, maxEvents),
      recorded: recorder.isRecording,
      truncated: events.length > maxEvents,
    })
  },
})
