import { randomUUID } from 'node:crypto'
import { type Context, created, Failure, ok, type Preparation } from '@icosa/kernel'
import { moduleOf } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { MadeKey } from '../token/calls.ts'
import type { KeySpec } from '../token/keys.ts'
import { recordChange } from '../uses/record.ts'
import type { Grant, KeyInput } from './contract.ts'
import { sealMaterial } from './sealed.ts'
import { accessOf } from './spec.ts'
import * as store from './store.ts'
import { toKey } from './view.ts'

/** A key that the token has, and of which nobody else knows yet. */
export interface NewKey {
  readonly id: string
  readonly name: string
  readonly spec: KeySpec
  readonly access: readonly Grant[]
  readonly made: MadeKey
}

/** Whether there is room, and the name is free; what is there instead, if it is not. */
export async function room(
  { db, ...context }: Preparation<ServiceRuntime>,
  name: string,
  most: number,
): Promise<store.Row | undefined> {
  const module = moduleOf(context)
  const there = await store.find(db, module, name)
  if (!there && (await store.count(db, module)) >= most)
    throw new Failure('conflict', `The module has ${most} keys, and takes no more: delete one first.`, {
      code: 'ModuleFull',
    })
  return there
}

/** One that is there already is answered if it is what is asked for. */
export function sameOrTaken(there: store.Row, input: KeyInput, spec: KeySpec) {
  const same = (['type', 'size', 'curve', 'exportable'] as const).every((name) => there[name] === spec[name])
  const isSame =
    same &&
    !there.imported &&
    there.operations.join() === spec.operations.join() &&
    (input.access === undefined || JSON.stringify(accessOf(input.access, spec)) === JSON.stringify(there.access))
  return isSame ? ok(toKey(there)) : taken(there.name)
}

export function taken(name: string): never {
  throw new Failure('alreadyExists', `The module has another key '${name}': choose another name, or delete it.`, {
    code: 'KeyExists',
  })
}

export const newId = () => randomUUID()

/** The key is there for everybody once this commits: its sealed copy, its row, and that it was made. */
export async function keep(
  context: Context<ServiceRuntime>,
  { id, name, spec, access, made }: NewKey,
  operation: 'make' | 'unwrap',
) {
  const { db, vault, clock } = context
  const module = moduleOf(context)
  if (!(await store.holdModule(db, module))) throw new Failure('conflict', 'The module is being deleted.')
  const createdAt = clock.now()
  const imported = operation === 'unwrap'
  const key = { ...spec, name, id, size: spec.size, curve: spec.curve, imported, access, createdAt }
  const material = sealMaterial(vault, module.id, id, made.files)
  const row = await store.insert(db, module, { ...key, publicKey: made.publicKey }, material)
  if (!row) taken(name)
  await recordChange(context, operation, name)
  return created(toKey(row))
}
