import { implement, media, ok } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { requests as contract } from './contract.ts'
import type { Matches } from './watcher.ts'

export const requests = implement<typeof contract, ServiceRuntime>(contract, {
  async watchRequests({ query, headers }, { caller, runtime: { feed } }) {
    const { service, operation, minStatus, limit } = query
    const matches: Matches = (request) =>
      request.status >= minStatus &&
      (service === undefined || request.service === service) &&
      (operation === undefined || request.operation === operation)
    if (!/\btext\/event-stream\b/i.test(headers.accept ?? ''))
      return ok({ value: feed.recent(caller.tenant, matches, limit), recorded: feed.isRecording })
    return media('text/event-stream', feed.watch(caller.tenant, matches), {
      'cache-control': 'no-store',
      'x-accel-buffering': 'no', // nginx would collect events
    })
  },
})
