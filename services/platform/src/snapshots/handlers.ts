import { implement, noContent, notFound, ok } from '@icosa/kernel'
import { refusing, required } from '../development.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { snapshots as contract } from './contract.ts'

/** Snapshots of the node, after a check that these exist. */
async function existing({ controls }: ServiceRuntime, ...names: readonly string[]) {
  const { snapshots } = required(controls)
  const all = await refusing(snapshots.list)
  for (const name of names) if (!all.some((snapshot) => snapshot.name === name)) notFound('snapshot', name)
  return snapshots
}

export const snapshots = implement<typeof contract, ServiceRuntime>(contract, {
  async listSnapshots(_, { runtime }) {
    const own = await existing(runtime)
    const action = own.action()
    return ok({ snapshots: [...(await own.list())], ...(action && { action }) })
  },

  async saveSnapshot({ params: { snapshot } }, { runtime }) {
    const own = await existing(runtime)
    return { status: 202, body: await own.request('save', snapshot) }
  },

  async restoreSnapshot({ params: { snapshot } }, { runtime }) {
    const own = await existing(runtime, snapshot)
    return { status: 202, body: await own.request('restore', snapshot) }
  },

  async deleteSnapshot({ params: { snapshot } }, { runtime }) {
    const own = await existing(runtime, snapshot)
    await refusing(() => own.delete(snapshot))
    return noContent()
  },

  async compareSnapshots({ params: { snapshot }, query: { to } }, { runtime }) {
    const own = await existing(runtime, snapshot, to)
    return ok(await refusing(() => own.compare(snapshot, to)))
  },
})
