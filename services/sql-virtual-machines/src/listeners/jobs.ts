import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type Job, job } from '@icosa/kernel'
import * as groups from '../groups/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { interrupted } from '../work.ts'
import * as store from './store.ts'
import { toListener } from './view.ts'

const patienceMs = 60_000
const lookMs = 200

/** Waits until a listener is open somewhere. Hosts open it by themselves. */
export const openListener: Job<{ readonly id: string }, ServiceRuntime> = job('openListener', {
  async run({ id }, { db, signal }) {
    for (const began = performance.now(); ; await sleep(lookMs)) {
      signal.throwIfAborted()
      const row = (await store.findById(db, id)) ?? interrupted()
      if (row.openings.some(({ problem }) => problem === null)) break
      const problem = row.openings.find((one) => one.problem !== null)?.problem
      if (problem || performance.now() - began > patienceMs || !(await store.hasHosts(db)))
        throw new Failure(
          'conflict',
          problem ?? 'No node has opened the listener: see whether those with machines run.',
          {
            code: 'ListenerFailed',
          },
        )
    }
    return async (last) => {
      const row = (await store.findById(last, id)) ?? interrupted()
      const group = (await groups.findById(last, row.cluster)) ?? interrupted()
      return toListener(row, group)
    }
  },
})
