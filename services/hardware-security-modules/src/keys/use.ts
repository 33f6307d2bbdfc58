import { Failure, type ReadingContext } from '@icosa/kernel'
import { type ModuleCaller, moduleCaller } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Use } from '../uses/store.ts'
import type { KeyOperation } from './names.ts'
import * as store from './store.ts'

export function missing(name: string): never {
  throw new Failure('notFound', `The module has no key '${name}': make it with PUT.`, { code: 'KeyNotFound' })
}

/** Whether a caller may do this with a key. */
export function isGranted({ access }: store.Row, operation: KeyOperation, { id, isByPin }: ModuleCaller): boolean {
  return access.some(
    ({ caller, operations }) =>
      operations.includes(operation) && (caller === '*' || caller === id || (isByPin && caller === 'pin')),
  )
}

type Context = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'runtime'>

/** A use of a key from its beginning to its end: who may, what comes of it, and that it is written down before it is told. */
export async function use<T>(
  context: Context,
  name: string,
  { operation, algorithm }: { readonly operation: KeyOperation; readonly algorithm: string },
  work: (key: store.Row) => Promise<T>,
): Promise<T> {
  const { db, runtime } = context
  const caller = moduleCaller(context)
  const { module } = caller
  const key = (await store.find(db, module, name)) ?? missing(name)
  const write = (outcome: Use['outcome'], detail: string | null = null) =>
    runtime.record({
      tenant: module.tenant,
      module: module.id,
      key: name,
      operation,
      algorithm,
      caller: caller.id,
      outcome,
      detail,
    })
  const refusal = refusalOf(key, operation, caller)
  if (refusal) {
    await write('refused', refusal.message)
    throw refusal
  }
  const done = await work(key).catch(async (error: Error) => {
    await write('failed', error.message.slice(0, 500))
    throw error
  })
  await write('done')
  return done
}

export function refusalOf(key: store.Row, operation: KeyOperation, caller: ModuleCaller): Failure | undefined {
  const { name, operations } = key
  if (!operations.includes(operation))
    return new Failure('forbidden', `The key '${name}' does not ${operation}: it does ${operations.join(', ')}.`, {
      code: 'KeyDoesNot',
    })
  if (isGranted(key, operation, caller)) return undefined
  return new Failure('forbidden', `The access of the key '${name}' does not let ${caller.id} ${operation} with it.`, {
    code: 'KeyAccess',
  })
}
