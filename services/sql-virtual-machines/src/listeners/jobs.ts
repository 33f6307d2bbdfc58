import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, type Job, job } from '@icosa/kernel'
import * as groups from '../groups/store.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { interrupted } from '../work.ts'
import * as store from './store.ts'
import { toListener } from './view.ts'

const maxWaitMs = 60_000
const pollMs = 200

/** Waits until a listener is open on any node. Nodes open it on their own. */
export const openListener: Job<{ readonly id: string }, ServiceRuntime> = job('openListener', {
  async run({ id }, { db, signal }) {
    for (const startedAt = performance.now(); ; await sleep(pollMs)) {
      signal.throwIfAborted()
      const row = (await store.findById(db, id)) ?? interrupted()
      if (row.openings.some(({ problem }) => problem === null)) break
      const problem = row.openings.find((opening) => opening.problem !== null)?.problem
      if (problem || performance.now() - startedAt > maxWaitMs || !(await store.hasHosts(db)))
        throw new Failure(
          'conflict',
          problem ?? 'No node has opened the listener: check whether the nodes with machines are running.',
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
