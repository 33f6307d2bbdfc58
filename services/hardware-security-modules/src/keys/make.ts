import { randomUUID } from 'node:crypto'
import { type Context, created, Failure, ok, type Preparation } from '@icosa/kernel'
import { moduleOf } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { TokenKey } from '../token/calls.ts'
import type { KeySpec } from '../token/keys.ts'
import { recordChange } from '../uses/record.ts'
import type { Grant, KeyInput } from './contract.ts'
import { sealMaterial } from './sealed.ts'
import { accessOf } from './spec.ts'
import * as store from './store.ts'
import { toKey } from './view.ts'

/** A key that exists in the token and is not stored yet. */
export interface NewKey {
  readonly id: string
  readonly name: string
  readonly spec: KeySpec
  readonly access: readonly Grant[]
  readonly tokenKey: TokenKey
}

/** Returns the key with this name. If there is none, refuses when the module is full. */
export async function findExisting(
  { db, ...context }: Preparation<ServiceRuntime>,
  name: string,
  maxKeys: number,
): Promise<store.Row | undefined> {
  const module = moduleOf(context)
  const existing = await store.find(db, module, name)
  if (!existing && (await store.count(db, module)) >= maxKeys)
    throw new Failure('conflict', `The module is full, with ${maxKeys} keys: delete one first.`, {
      code: 'ModuleFull',
    })
  return existing
}

/** Idempotent creation: returns the existing key if it is equal to the requested one. */
export function existingOrConflict(existing: store.Row, input: KeyInput, spec: KeySpec) {
  const isSame =
    (['type', 'size', 'curve', 'exportable'] as const).every((name) => existing[name] === spec[name]) &&
    !existing.imported &&
    existing.operations.join() === spec.operations.join() &&
    (input.access === undefined || JSON.stringify(accessOf(input.access, spec)) === JSON.stringify(existing.access))
  return isSame ? ok(toKey(existing)) : nameTaken(existing.name)
}

export function nameTaken(name: string): never {
  throw new Failure('alreadyExists', `The module has another key '${name}': choose another name, or delete it.`, {
    code: 'KeyExists',
  })
}

export const newId = () => randomUUID()

/** Stores a new key with its sealed copy, and records its creation. */
export async function saveKey(
  context: Context<ServiceRuntime>,
  { id, name, spec, access, tokenKey }: NewKey,
  operation: 'make' | 'unwrap',
) {
  const { db, clock } = context
  const module = moduleOf(context)
  if (!(await store.lockModule(db, module))) throw new Failure('conflict', 'The module is being deleted.')
  const createdAt = clock.now()
  const imported = operation === 'unwrap'
  const key = { ...spec, name, id, size: spec.size, curve: spec.curve, imported, access, createdAt }
  const material = sealMaterial(await context.tenantVault(), module.id, id, tokenKey.files)
  const row = await store.insert(db, module, { ...key, publicKey: tokenKey.publicKey }, material)
  if (!row) nameTaken(name)
  await recordChange(context, operation, name)
  return created(toKey(row))
}
