import { type Db, type Job, job } from '@icosa/kernel'
import type { Held } from '../held.ts'
import type { HsmSettings } from '../settings.ts'
import { newPins, sealToken } from './sealed.ts'
import * as store from './store.ts'
import { idOf, toModule } from './view.ts'

export interface ModuleWork {
  readonly tenant: string
  readonly id: string
}

export interface ModuleJobs {
  readonly provision: Job<ModuleWork, Held>
  readonly zeroise: Job<ModuleWork, Held>
}

export const messages = {
  provisioning: 'The module is being provisioned.',
  functional: 'The module is functional.',
  deleting: 'The module is being zeroised.',
}

export function moduleJobs(settings: HsmSettings): ModuleJobs {
  /** Makes the token of a new module. It opens once the sealed copy is there. */
  const provision = job<ModuleWork, Held>('provision', {
    retries: 1, // what is wrong with a library or a folder, somebody mends: the sooner it is told, the better
    async run(work, { db, held, vault }) {
      const before = await store.findById(db, work)
      if (before?.state !== 'Provisioning') return async () => before && toModule(before, settings)
      const pins = newPins()
      const files = await held.tokens.create(work.id, pins)
      return async (inside) => {
        const row = await store.lockById(inside, work)
        if (row?.state !== 'Provisioning') return row && toModule(row, settings)
        await store.setToken(inside, work, sealToken(vault, work.id, { files, pins }))
        return toModule(await store.setState(inside, work, 'Succeeded', messages.functional), settings)
      }
    },
    failed: (work, db, { message }) => fail(work, 'Provisioning', message, db),
  })

  /** Nothing of it is left on this node when its rows go; other nodes notice that they have. */
  const zeroise = job<ModuleWork, Held>('zeroise', {
    retries: 10,
    async run(work, { db, held }) {
      if (await store.findById(db, work)) await held.tokens.zeroise(work)
      return async (inside, _, resources) => {
        const row = await store.lockById(inside, work)
        if (row?.state !== 'Deleting') return
        await resources.remove(idOf(row))
        await store.remove(inside, work)
      }
    },
    failed: (work, db, { message }) => fail(work, 'Deleting', message, db),
  })

  return { provision, zeroise }
}

async function fail(work: ModuleWork, from: store.State, message: string, db: Db): Promise<void> {
  const row = await store.lockById(db, work)
  if (row?.state === from) await store.setState(db, work, 'Failed', message)
}
