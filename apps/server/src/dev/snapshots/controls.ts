import { Failure } from '@icosa/kernel'
import type { SnapshotAction, SnapshotControls } from '@icosa/platform'
import type { Snapshots } from './snapshots.ts'

/** Snapshots as operations of the node, which stops for them: an action begins once its reply is written. */
export function snapshotControls(snapshots: () => Snapshots): SnapshotControls {
  let action: SnapshotAction | undefined
  let pending: (() => Promise<unknown>) | undefined

  return {
    list: async () => snapshots().list(),
    delete: async (name) => snapshots().delete(name),
    compare: async (from, to) => snapshots().compare(from, to),
    action: () => action,
    async request(kind, snapshot) {
      if (action?.state === 'running')
        throw new Failure('conflict', `Another action runs: ${action.kind} ${action.snapshot}. Try again when it ends.`)
      action = { kind, snapshot, state: 'running' }
      pending = () => snapshots()[kind](snapshot)
      return action
    },
    proceed() {
      const [work, running] = [pending, action]
      pending = undefined
      if (!work || !running) return
      Promise.try(work).then(
        () => {
          action = { ...running, state: 'succeeded' }
        },
        (error: Error) => {
          action = { ...running, state: 'failed', message: error.message }
        },
      )
    },
  }
}
