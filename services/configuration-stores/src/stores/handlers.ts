import { Failure, implement, noContent, ok, type ReadingContext, type Resource, withPreparation } from '@icosa/kernel'
import { wrappingFor } from '../encryption/choice.ts'
import { originalNamespace, softDeleteVersions, storeName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { isSameLocation, type StoreAddress } from './address.ts'
import { changed, replaced } from './choices.ts'
import { api, stores as contract } from './contract.ts'
import { cannotMove, lifecycle, type Parts } from './lifecycle.ts'
import * as store from './store.ts'
import { toStore } from './view.ts'

export function stores(parts: Parts): Resource<ServiceRuntime> {
  const life = lifecycle(parts)
  const show = (row: store.Row) => toStore(row, parts.settings)

  async function list(scope: Parameters<typeof store.list>[2], token: string | undefined, context: ReadingContext) {
    const { items, next } = await store.list(context.db, context.caller.tenant, scope, token)
    return ok({ value: items.map(show) }, { next })
  }

  return implement<typeof contract, ServiceRuntime>(contract, {
    list: ({ params, query }, context) => list(params, query.$skipToken, context),
    listByResourceGroup: ({ params, query }, context) => list(params, query.$skipToken, context),

    async get({ params }, { db, caller }) {
      return ok(show((await store.find(db, caller.tenant, params)) ?? missing(params)))
    },

    create: withPreparation(
      ({ params, body }, context) => wrappingFor(params, body, context),
      async ({ params, query, body }, context, wrapping) => {
        const row = await store.lock(context.db, context.caller.tenant, params)
        const isRecovery = body.properties?.createMode === 'Recover'
        const requested = { body, wrapping }
        if (row && isRecovery) notDeleted(row)
        if (isRecovery) return life.recover(params, requested, context)
        if (!row) return life.create(params, requested, softDeleteVersions.includes(query['api-version']), context)
        if (!isSameLocation(row.location, body.location)) cannotMove(row)
        if (row.state === 'Failed') return life.createAgain(row, requested, context)
        return life.change(row, replaced(body, wrapping, row), context)
      },
    ),

    update: withPreparation(
      ({ params, body }, context) => wrappingFor(params, body, context),
      async ({ params, body }, context, wrapping) => {
        const row = (await store.lock(context.db, context.caller.tenant, params)) ?? missing(params)
        return life.change(row, changed(row, body, wrapping), context)
      },
    ),

    async delete({ params }, context) {
      const row = await store.lock(context.db, context.caller.tenant, params)
      return row ? life.remove(row, context) : noContent()
    },

    async checkNameAvailability({ body }, { db }) {
      const [namespace = ''] = body.type.split('/', 1)
      if (![api.namespace, originalNamespace].includes(namespace))
        throw new Failure('invalid', `body/type must be ${api.namespace}/configurationStores.`)
      if (!storeName.pattern.test(body.name))
        return ok({ nameAvailable: false, reason: 'Invalid', message: `A name has ${storeName.description}.` })
      if (await store.isTaken(db, body.name))
        return ok({
          nameAvailable: false,
          reason: 'AlreadyExists',
          message: 'The name is already in use: choose another one.',
        })
      return ok({ nameAvailable: true })
    },
  })
}

export function missing({ configStoreName }: Pick<StoreAddress, 'configStoreName'>): never {
  throw new Failure('notFound', `The configuration store '${configStoreName}' was not found: create it with PUT.`)
}

function notDeleted({ configStoreName }: store.Row): never {
  throw new Failure('conflict', `'${configStoreName}' is not deleted: omit createMode.`)
}
