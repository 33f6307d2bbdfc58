import { accepted, type Context, Failure, ok } from '@icosa/kernel'
import * as deletedStores from '../deleted-stores/store.ts'
import type { Wrapping } from '../encryption/choice.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { ConfigurationStoresSettings } from '../settings.ts'
import { isSameLocation, keyOf, type StoreAddress } from './address.ts'
import { choicesFor, demandConsistent, extentOf, replaced } from './choices.ts'
import type { StoreInput } from './contract.ts'
import type { StoreJobs } from './jobs.ts'
import * as store from './store.ts'
import { entryOf, storeId, toStore } from './view.ts'

export interface Parts {
  readonly settings: ConfigurationStoresSettings
  readonly jobs: StoreJobs
}

/** The request, and the data key wrapped by an HSM. */
export interface Requested {
  readonly body: StoreInput
  readonly wrapping: Wrapping
}

/** Operations on a store, each of which starts a job and returns the reply. */
export function lifecycle({ settings, jobs }: Parts) {
  const show = (row: store.Row) => toStore(row, settings)
  const register = (row: store.Row, { resources }: Context) => resources.put(entryOf(row))

  async function begin(kind: keyof StoreJobs, row: store.Row, { operations }: Context) {
    return operations.start(jobs[kind], { tenant: row.tenant, id: row.id }, { resource: storeId(row) })
  }

  async function startJob(kind: keyof StoreJobs, row: store.Row, context: Context) {
    return { status: 201 as const, body: show(row), operation: await begin(kind, row, context) }
  }

  return {
    async create(address: StoreAddress, { body, wrapping }: Requested, knowsSoftDelete: boolean, context: Context) {
      const { db, caller, clock } = context
      const requested = { ...choicesFor(body, wrapping, knowsSoftDelete), location: body.location }
      const row =
        (await store.insert(db, caller.tenant, address, requested, clock.now())) ??
        nameInUse(address, await deletedStores.find(db, caller.tenant, address))
      await register(row, context)
      return startJob('createStore', row, context)
    },

    /** Retries a failed creation. */
    async createAgain(row: store.Row, { body, wrapping }: Requested, context: Context) {
      const choices = replaced(body, wrapping, row)
      demandConsistent(choices, row)
      await store.change(context.db, row, choices)
      const retried = await store.setState(context.db, row, 'Creating')
      await register(retried, context)
      return startJob('createStore', retried, context)
    },

    /** Restores a deleted store with its contents, and applies the request. */
    async recover(address: StoreAddress, { body, wrapping }: Requested, context: Context) {
      const { db, caller } = context
      const row = await deletedStores.lock(db, caller.tenant, address)
      if (!row || keyOf(row.resourceGroupName) !== keyOf(address.resourceGroupName)) notDeleted(address)
      if (!isSameLocation(row.location, body.location)) cannotMove(row)
      if (row.state === 'Deleting') demandSettled(row)
      const choices = replaced(body, wrapping, row)
      demandConsistent(choices, row)
      await deletedStores.recover(db, row)
      const recovered = await store.change(db, row, choices)
      await register(recovered, context)
      return startJob('createStore', recovered, context)
    },

    async change(row: store.Row, choices: store.Choices, context: Context<ServiceRuntime>) {
      demandSettled(row)
      const extent = extentOf(row, choices)
      if (extent === 'none') return ok(show(row))
      const after = await store.change(context.db, row, choices)
      await register(after, context)
      context.runtime.directory.forget(row.configStoreName)
      if (extent === 'small') return ok(show(after))
      return startJob('updateStore', await store.setState(context.db, row, 'Updating'), context)
    },

    async remove(row: store.Row, context: Context<ServiceRuntime>) {
      if (row.state === 'Creating' || row.state === 'Updating') demandSettled(row)
      await store.setState(context.db, row, 'Deleting')
      context.runtime.directory.forget(row.configStoreName)
      return accepted(undefined, await begin(row.retentionDays === null ? 'purgeStore' : 'deleteStore', row, context))
    },
  }
}

function nameInUse({ configStoreName: name }: StoreAddress, deleted: deletedStores.DeletedRow | undefined): never {
  const advice = deleted
    ? `'${name}' was deleted and is kept until ${deleted.purgeAt.toISOString()}: recover it with createMode Recover, or purge it.`
    : `The name '${name}' is already in use: choose another one.`
  throw new Failure('alreadyExists', advice, { code: 'NameUnavailable' })
}

function notDeleted({ configStoreName }: StoreAddress): never {
  throw new Failure(
    'notFound',
    `There is no deleted store '${configStoreName}' to recover in this resource group: omit createMode.`,
  )
}

export function cannotMove({ configStoreName, location }: store.Row): never {
  throw new Failure(
    'conflict',
    `'${configStoreName}' is in ${location} and cannot be moved: leave location as it is.`,
    {
      code: 'InvalidResourceLocation',
    },
  )
}

function demandSettled({ state, configStoreName }: store.Row): void {
  if (state === 'Succeeded') return
  const advice = state === 'Failed' ? 'has failed: create it again with PUT' : 'is being changed: try again in a moment'
  throw new Failure('conflict', `'${configStoreName}' ${advice}. Its state is ${state}.`, {
    code: 'OperationInProgress',
  })
}
