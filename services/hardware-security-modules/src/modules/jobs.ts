import { type Db, Failure, type Job, job } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { HsmSettings } from '../settings.ts'
import { newPins, sealToken } from './sealed.ts'
import * as store from './store.ts'
import { idOf, toModule } from './view.ts'

export interface ModuleWork {
  readonly tenant: string
  readonly id: string
}

export interface ModuleJobs {
  readonly provision: Job<ModuleWork, ServiceRuntime>
  readonly zeroise: Job<ModuleWork, ServiceRuntime>
}

export const messages = {
  provisioning: 'The module is being provisioned.',
  functional: 'The module is functional.',
  deleting: 'The module is being zeroised.',
}

export function moduleJobs(settings: HsmSettings): ModuleJobs {
  /** Creates the token of a new module. If the module was deleted meanwhile, the token is destroyed. */
  const provision = job<ModuleWork, ServiceRuntime>('provision', {
    retries: 1, // problems of a library or a folder need an operator: report them early
    async run(work, { db, runtime, tenantVault, transaction }) {
      const before = await store.findById(db, work)
      if (before?.state === 'Succeeded') return async () => toModule(before, settings)
      if (before?.state !== 'Provisioning') deleted()
      if (!(await store.sealedToken(db, work))) {
        const pins = newPins()
        const files = await runtime.tokens.create(work.id, pins)
        const vault = await tenantVault()
        const isStored = await transaction(async (inside) => {
          const row = await store.lockById(inside, work)
          if (row) await store.setToken(inside, work, sealToken(vault, work.id, { files, pins }))
          return row !== undefined
        })
        if (!isStored) await runtime.tokens.destroy(work.id, { files, pins })
      }
      return async (inside) => {
        const row = await store.lockById(inside, work)
        if (row?.state !== 'Provisioning') deleted()
        return toModule(await store.setState(inside, work, 'Succeeded', messages.functional), settings)
      }
    },
    failed: (work, db, { message }) => fail(work, 'Provisioning', message, db),
  })

  /** Zeroises the token on this node before deleting its rows. Other nodes sweep. */
  const zeroise = job<ModuleWork, ServiceRuntime>('zeroise', {
    retries: 10,
    async run(work, { db, runtime }) {
      const hadToken = (await store.sealedToken(db, work)) !== undefined
      if (await store.findById(db, work)) await runtime.tokens.zeroise(work)
      return async (inside, _, resources) => {
        const row = await store.lockById(inside, work)
        if (row?.state !== 'Deleting') return
        if (!hadToken && (await store.sealedToken(inside, work)))
          throw new Error('The token was created in the meantime: the next attempt zeroises it.')
        await resources.remove(idOf(row))
        await store.remove(inside, work)
      }
    },
    failed: (work, db, { message }) => fail(work, 'Deleting', message, db),
  })

  return { provision, zeroise }
}

function deleted(): never {
  throw new Failure('conflict', 'The module was deleted before it was ready.', { code: 'OperationInterrupted' })
}

async function fail(work: ModuleWork, from: store.State, message: string, db: Db): Promise<void> {
  const row = await store.lockById(db, work)
  if (row?.state === from) await store.setState(db, work, 'Failed', message)
}
