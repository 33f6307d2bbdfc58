import { isDeepStrictEqual } from 'node:util'
import {
  accepted,
  type Context,
  Failure,
  implement,
  noContent,
  ok,
  type ReadingContext,
  type Resource,
} from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import type { HsmSettings } from '../settings.ts'
import { choicesIn } from './choices.ts'
import { modules as contract, type ModuleInput } from './contract.ts'
import { type ModuleJobs, messages } from './jobs.ts'
import * as store from './store.ts'
import { entryOf, idOf, toModule } from './view.ts'

export interface Parts {
  readonly settings: HsmSettings
  readonly jobs: ModuleJobs
}

export function modules({ settings, jobs }: Parts): Resource<ServiceRuntime> {
  const show = (row: store.Row) => toModule(row, settings)

  async function list(
    scope: Parameters<typeof store.list>[2],
    { $top, $skipToken }: { readonly $top?: number | undefined; readonly $skipToken?: string | undefined },
    { db, caller }: ReadingContext,
  ) {
    const { items, next } = await store.list(db, caller.tenant, scope, $skipToken)
    const isComplete = $top !== undefined && $top <= items.length
    return ok({ value: items.slice(0, $top).map(show) }, isComplete ? {} : { next })
  }

  async function provision(row: store.Row, context: Context<ServiceRuntime>) {
    await context.resources.put(entryOf(row))
    const work = { tenant: row.tenant, id: row.id }
    const operation = await context.operations.start(jobs.provision, work, { resource: idOf(row) })
    return { status: 201 as const, body: show(row), operation }
  }

  async function create(address: store.ModuleAddress, body: ModuleInput, context: Context<ServiceRuntime>) {
    const { db, caller, clock } = context
    const requested = { ...choicesIn(body), location: body.location }
    if ((await store.countLocked(db, caller.tenant)) >= settings.modules) quota(settings.modules)
    const status = { state: 'Provisioning', statusMessage: messages.provisioning } as const
    const row = await store.insert(db, caller.tenant, address, requested, status, clock.now())
    return row ? provision(row, context) : replace(await lock(address, context), body, context)
  }

  async function replace(row: store.Row, body: ModuleInput, context: Context<ServiceRuntime>) {
    if (normalized(row.location) !== normalized(body.location)) cannotMove(row)
    const choices = choicesIn(body)
    if (row.state === 'Failed' && !(await store.sealedToken(context.db, row))) {
      await store.change(context.db, row, choices)
      return provision(await store.setState(context.db, row, 'Provisioning', messages.provisioning), context)
    }
    return change(row, choices, context)
  }

  async function change(row: store.Row, choices: store.Choices, context: Context<ServiceRuntime>) {
    demandSettled(row)
    const { tags, zones, stampId, networkProfile } = row
    if (isDeepStrictEqual(choices, { tags, zones, stampId, networkProfile })) return ok(show(row))
    const updated = await store.change(context.db, row, choices)
    await context.resources.put(entryOf(updated))
    return ok(show(updated))
  }

  const lock = async (address: store.ModuleAddress, { db, caller }: Context<ServiceRuntime>) =>
    (await store.lock(db, caller.tenant, address)) ?? missing(address)

  return implement<typeof contract, ServiceRuntime>(contract, {
    async createOrUpdate({ params, body }, context) {
      const row = await store.lock(context.db, context.caller.tenant, params)
      return row ? replace(row, body, context) : create(params, body, context)
    },

    async update({ params, body }, context) {
      const row = await lock(params, context)
      return change(row, { ...choicesOf(row), tags: body.tags ?? row.tags }, context)
    },

    async delete({ params }, context) {
      const row = await store.lock(context.db, context.caller.tenant, params)
      if (!row) return noContent()
      await store.setState(context.db, row, 'Deleting', messages.deleting)
      context.runtime.directory.forget(row.id)
      const work = { tenant: row.tenant, id: row.id }
      return accepted(undefined, await context.operations.start(jobs.zeroise, work, { resource: idOf(row) }))
    },

    async get({ params }, { db, caller }) {
      return ok(show((await store.find(db, caller.tenant, params)) ?? missing(params)))
    },

    listByResourceGroup: ({ params, query }, context) => list(params, query, context),
    listBySubscription: ({ params, query }, context) => list(params, query, context),
  })
}

const choicesOf = ({ tags, zones, stampId, networkProfile }: store.Row): store.Choices => ({
  tags,
  zones,
  stampId,
  networkProfile,
})

const normalized = (location: string) => location.replaceAll(' ', '').toLowerCase()

function missing({ name }: store.ModuleAddress): never {
  throw new Failure('notFound', `The module '${name}' was not found: create it with PUT.`)
}

function quota(modules: number): never {
  throw new Failure('conflict', `You have reached the limit of ${modules} modules: delete one first.`, {
    code: 'QuotaExceeded',
  })
}

function cannotMove({ name, location }: store.Row): never {
  throw new Failure('conflict', `'${name}' is in ${location} and cannot be moved: leave location as it is.`, {
    code: 'InvalidResourceLocation',
  })
}

function demandSettled({ state, name, statusMessage }: store.Row): void {
  if (state === 'Succeeded') return
  const advice = state === 'Failed' ? `has failed: ${statusMessage}` : 'is being changed: try again in a moment.'
  throw new Failure('conflict', `'${name}' ${advice} Its state is ${state}.`, { code: 'OperationInProgress' })
}
