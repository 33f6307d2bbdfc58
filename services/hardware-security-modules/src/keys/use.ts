import { Failure, type ReadingContext } from '@icosa/kernel'
import { type ModuleCaller, moduleCaller } from '../data-plane/authenticate.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { Use } from '../uses/store.ts'
import type { KeyOperation } from './names.ts'
import * as store from './store.ts'

export function missing(name: string): never {
  throw new Failure('notFound', `The module has no key '${name}': create it with PUT.`, { code: 'KeyNotFound' })
}

export function isGranted({ access }: store.Row, operation: KeyOperation, { id, isByPin }: ModuleCaller): boolean {
  return access.some(
    ({ caller, operations }) =>
      operations.includes(operation) && (caller === '*' || caller === id || (isByPin && caller === 'pin')),
  )
}

type Context = Pick<ReadingContext<ServiceRuntime>, 'db' | 'caller' | 'runtime'>

/** Uses a key: checks access, runs `work`, and records the outcome before returning it. */
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
  const record = (outcome: Use['outcome'], detail: string | null = null) =>
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
    await record('refused', refusal.message)
    throw refusal
  }
  const result = await work(key).catch(async (error: Error) => {
    await record('failed', error.message.slice(0, 500))
    throw error
  })
  await record('done')
  return result
}

export function refusalOf(key: store.Row, operation: KeyOperation, caller: ModuleCaller): Failure | undefined {
  const { name, operations } = key
  if (!operations.includes(operation))
    return new Failure(
      'forbidden',
      `The key '${name}' cannot ${operation}: its operations are ${operations.join(', ')}.`,
      {
        code: 'KeyDoesNot',
      },
    )
  if (isGranted(key, operation, caller)) return undefined
  return new Failure('forbidden', `The access list of the key '${name}' does not allow ${caller.id} to ${operation}.`, {
    code: 'KeyAccess',
  })
}
