import { type Caller, Failure } from '@icosa/kernel'
import type { ResourceQuery } from '../groups/contract.ts'
import { permissionsOfQuery } from '../names.ts'

/** The results of a query require the permission to read tags or stacks. */
export function demand(caller: Caller, type: ResourceQuery['Type']): void {
  const missing = permissionsOfQuery[type].find((permission) => !caller.allows(permission))
  if (missing) throw new Failure('forbidden', `The credential lacks the permission ${missing}.`)
}
