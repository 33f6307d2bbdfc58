import { randomBytes } from 'node:crypto'
import { Failure, implement, noContent, ok, type Resource, withPreparation } from '@icosa/kernel'
import { moduleOf } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { HsmSettings } from '../settings.ts'
import { recordChange } from '../uses/record.ts'
import { decoded, demandEncryption, demandWrapping, encoded, toSign } from './algorithms.ts'
import { keys as contract } from './contract.ts'
import type { KeyJobs } from './jobs.ts'
import { keep, newId, room, sameOrTaken, taken } from './make.ts'
import { accessOf, demandPublicKey, specOf } from './spec.ts'
import * as store from './store.ts'
import { missing, use } from './use.ts'
import { toKey } from './view.ts'

const ivBytes = 12

export function keys({
  settings,
  jobs,
}: {
  readonly settings: HsmSettings
  readonly jobs: KeyJobs
}): Resource<ServiceRuntime> {
  return implement<typeof contract, ServiceRuntime>(contract, {
    async list({ query }, context) {
      const { items, next } = await store.list(context.db, moduleOf(context), query.after)
      return ok({ value: items.map(toKey) }, { next })
    },

    async get({ params }, context) {
      return ok(toKey((await store.find(context.db, moduleOf(context), params.keyName)) ?? missing(params.keyName)))
    },

    make: withPreparation(
      async ({ params, body }, context) => {
        const spec = specOf(body)
        const access = accessOf(body.access, spec)
        const there = await room(context, params.keyName, settings.keys)
        if (there) return { there, spec }
        const id = newId()
        const made = await context.runtime.tokens.ask(moduleOf(context), [], 'make', { id, spec })
        return { key: { id, name: params.keyName, spec, access, made } }
      },
      async ({ body }, context, { there, spec, key }) =>
        key ? keep(context, key, 'make') : sameOrTaken(there, body, spec),
    ),

    async update({ params: { keyName }, body }, context) {
      const { db } = context
      const module = moduleOf(context)
      const key = (await store.find(db, module, keyName)) ?? missing(keyName)
      const row = await store.setAccess(db, module, keyName, accessOf(body.access, key))
      await recordChange(context, 'change access', keyName)
      return ok(toKey(row ?? missing(keyName)))
    },

    async delete({ params: { keyName } }, context) {
      const { db, jobs: queue } = context
      const module = moduleOf(context)
      const { id } = (await store.remove(db, module, keyName)) ?? missing(keyName)
      await queue.enqueue(jobs.destroyKey, { tenant: module.tenant, module: module.id, key: id })
      await recordChange(context, 'delete', keyName)
      return noContent()
    },

    async sign({ params, body }, context) {
      const { algorithm, encoding } = body
      const signature = await use(context, params.keyName, { operation: 'sign', algorithm }, (key) =>
        context.runtime.tokens.ask(moduleOf(context), [key.id], 'sign', { id: key.id, ...toSign(body, key) }),
      )
      return ok({ signature: encoded(signature, algorithm, encoding) })
    },

    async verify({ params, body }, context) {
      const { algorithm, encoding } = body
      const valid = await use(context, params.keyName, { operation: 'verify', algorithm }, async (key) => {
        const what = toSign(body, key)
        const signature = decoded(body.signature, algorithm, encoding)
        if (!signature) return false
        return context.runtime.tokens.ask(moduleOf(context), [key.id], 'verify', { id: key.id, signature, ...what })
      })
      return ok({ valid })
    },

    async wrap({ params, body: { algorithm, key: name } }, context) {
      const module = moduleOf(context)
      const value = await use(context, params.keyName, { operation: 'wrap', algorithm }, async (key) => {
        demandWrapping(algorithm, key)
        const wrapped = (await store.find(context.db, module, name)) ?? missing(name)
        if (!wrapped.exportable) notExportable(name)
        const given = { wrapping: key.id, algorithm, id: wrapped.id }
        return context.runtime.tokens.ask(module, [key.id, wrapped.id], 'wrap', given)
      })
      return ok({ value: Buffer.from(value).toString('base64') })
    },

    unwrap: withPreparation(
      async ({ params, body }, context) => {
        const { name, algorithm, publicKey } = body
        const spec = specOf(body, { isImport: true })
        demandPublicKey(publicKey, spec)
        const access = accessOf(body.access, spec)
        if (await room(context, name, settings.keys)) taken(name)
        const id = newId()
        const wrapped = Buffer.from(body.value, 'base64')
        const made = await use(context, params.keyName, { operation: 'unwrap', algorithm }, (key) => {
          demandWrapping(algorithm, key)
          const given = { unwrapping: key.id, algorithm, wrapped, id, spec, publicKey }
          return context.runtime.tokens.ask(moduleOf(context), [key.id], 'unwrap', given)
        })
        return { id, name, spec, access, made }
      },
      (_, context, key) => keep(context, key, 'unwrap'),
    ),

    async encrypt({ params, body: { algorithm, value, aad } }, context) {
      const isGcm = algorithm === 'AES-GCM'
      const iv = isGcm ? randomBytes(ivBytes) : Buffer.alloc(0)
      const encrypted = await use(context, params.keyName, { operation: 'encrypt', algorithm }, (key) => {
        demandEncryption(algorithm, key, aad)
        const data = Buffer.from(value, 'base64')
        const given = { id: key.id, algorithm, data, iv, aad: Buffer.from(aad ?? '', 'base64') }
        return context.runtime.tokens.ask(moduleOf(context), [key.id], 'encrypt', given)
      })
      return ok({ value: Buffer.concat([iv, encrypted]).toString('base64') })
    },

    async decrypt({ params, body: { algorithm, value, aad } }, context) {
      const all = Buffer.from(value, 'base64')
      const split = algorithm === 'AES-GCM' ? ivBytes : 0
      const decrypted = await use(context, params.keyName, { operation: 'decrypt', algorithm }, (key) => {
        demandEncryption(algorithm, key, aad)
        const [iv, data] = [all.subarray(0, split), all.subarray(split)]
        const given = { id: key.id, algorithm, data, iv, aad: Buffer.from(aad ?? '', 'base64') }
        return context.runtime.tokens.ask(moduleOf(context), [key.id], 'decrypt', given)
      })
      return ok({ value: Buffer.from(decrypted).toString('base64') })
    },
  })
}

function notExportable(name: string): never {
  throw new Failure('forbidden', `The key '${name}' is not exportable: it never leaves the module.`, {
    code: 'KeyUnexportable',
  })
}
