import { type Caller, Failure } from '@icosa/kernel'
import type { ResourceQuery } from '../groups/contract.ts'
import { permissionsOfQuery } from '../names.ts'

/** Who sees what a query finds must also be allowed to read what it is about: tags, or stacks. */
export function demand(caller: Caller, type: ResourceQuery['Type']): void {
  const missing = permissionsOfQuery[type].find((permission) => !caller.allows(permission))
  if (missing) throw new Failure('forbidden', `The credential lacks the permission ${missing}.`)
}
