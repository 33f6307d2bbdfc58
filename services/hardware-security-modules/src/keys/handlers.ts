import { randomBytes } from 'node:crypto'
import { Failure, implement, noContent, ok, type Resource, withPreparation } from '@icosa/kernel'
import { moduleOf } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { HsmSettings } from '../settings.ts'
import { recordChange } from '../uses/record.ts'
import { decoded, demandEncryption, demandWrapping, encoded, toSign } from './algorithms.ts'
import { keys as contract } from './contract.ts'
import type { KeyJobs } from './jobs.ts'
import { existingOrConflict, findExisting, nameTaken, newId, saveKey } from './make.ts'
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
        const existing = await findExisting(context, params.keyName, settings.keys)
        if (existing) return { existing, spec }
        const id = newId()
        const tokenKey = await context.runtime.tokens.ask(moduleOf(context), [], 'make', { id, spec })
        return { key: { id, name: params.keyName, spec, access, tokenKey } }
      },
      async ({ body }, context, { existing, spec, key }) =>
        key ? saveKey(context, key, 'make') : existingOrConflict(existing, body, spec),
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
        const signed = toSign(body, key)
        const signature = decoded(body.signature, algorithm, encoding)
        if (!signature) return false
        return context.runtime.tokens.ask(moduleOf(context), [key.id], 'verify', { id: key.id, signature, ...signed })
      })
      return ok({ valid })
    },

    async wrap({ params, body: { algorithm, key: name } }, context) {
      const module = moduleOf(context)
      const value = await use(context, params.keyName, { operation: 'wrap', algorithm }, async (key) => {
        demandWrapping(algorithm, key)
        const wrapped = (await store.find(context.db, module, name)) ?? missing(name)
        if (!wrapped.exportable) notExportable(name)
        const input = { wrapping: key.id, algorithm, id: wrapped.id }
        return context.runtime.tokens.ask(module, [key.id, wrapped.id], 'wrap', input)
      })
      return ok({ value: Buffer.from(value).toString('base64') })
    },

    unwrap: withPreparation(
      async ({ params, body }, context) => {
        const { name, algorithm, publicKey } = body
        const spec = specOf(body, { isImport: true })
        demandPublicKey(publicKey, spec)
        const access = accessOf(body.access, spec)
        if (await findExisting(context, name, settings.keys)) nameTaken(name)
        const id = newId()
        const wrapped = Buffer.from(body.value, 'base64')
        const tokenKey = await use(context, params.keyName, { operation: 'unwrap', algorithm }, (key) => {
          demandWrapping(algorithm, key)
          const input = { unwrapping: key.id, algorithm, wrapped, id, spec, publicKey }
          return context.runtime.tokens.ask(moduleOf(context), [key.id], 'unwrap', input)
        })
        return { id, name, spec, access, tokenKey }
      },
      (_, context, key) => saveKey(context, key, 'unwrap'),
    ),

    async encrypt({ params, body: { algorithm, value, aad } }, context) {
      const isGcm = algorithm === 'AES-GCM'
      const iv = isGcm ? randomBytes(ivBytes) : Buffer.alloc(0)
      const encrypted = await use(context, params.keyName, { operation: 'encrypt', algorithm }, (key) => {
        demandEncryption(algorithm, key, aad)
        const data = Buffer.from(value, 'base64')
        const input = { id: key.id, algorithm, data, iv, aad: Buffer.from(aad ?? '', 'base64') }
        return context.runtime.tokens.ask(moduleOf(context), [key.id], 'encrypt', input)
      })
      return ok({ value: Buffer.concat([iv, encrypted]).toString('base64') })
    },

    async decrypt({ params, body: { algorithm, value, aad } }, context) {
      const ciphertext = Buffer.from(value, 'base64')
      const split = algorithm === 'AES-GCM' ? ivBytes : 0
      const decrypted = await use(context, params.keyName, { operation: 'decrypt', algorithm }, (key) => {
        demandEncryption(algorithm, key, aad)
        const [iv, data] = [ciphertext.subarray(0, split), ciphertext.subarray(split)]
        const input = { id: key.id, algorithm, data, iv, aad: Buffer.from(aad ?? '', 'base64') }
        return context.runtime.tokens.ask(moduleOf(context), [key.id], 'decrypt', input)
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
