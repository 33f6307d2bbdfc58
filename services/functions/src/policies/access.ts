import { type Caller, Failure } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { invokerRoles } from './names.ts'
import type { Binding } from './store.ts'

/** What a credential of the function's own tenant needs to call it. */
export const invokePermission = `${serviceName}:invokeFunction`

const everybody = 'allUsers'
const everybodyKnown = 'allAuthenticatedUsers'

export const invokersOf = (bindings: readonly Binding[] = []): ReadonlySet<string> =>
  new Set(bindings.flatMap(({ role, members }) => (invokerRoles.includes(role) ? members : [])))

export const isPublic = (invokers: ReadonlySet<string>) => invokers.has(everybody)

/** Whether a caller may call a function of a tenant: by a binding, or as one of its own. */
export function mayInvoke(invokers: ReadonlySet<string>, tenant: string, caller: Caller | undefined): boolean {
  if (isPublic(invokers)) return true
  if (!caller) return false
  const isBound =
    invokers.has(everybodyKnown) || invokers.has(`user:${caller.id}`) || invokers.has(`serviceAccount:${caller.id}`)
  return isBound || (caller.tenant === tenant && caller.allows(invokePermission))
}

/** Says what is missing. */
export function demandInvoker(invokers: ReadonlySet<string>, tenant: string, caller: Caller | undefined): void {
  if (mayInvoke(invokers, tenant, caller)) return
  if (!caller)
    throw new Failure(
      'unauthenticated',
      `This function is not public: send a token or key in the header Authorization, after "Bearer ", or let its owner bind ${invokerRoles[0]} to ${everybody}.`,
    )
  const missing =
    caller.tenant === tenant
      ? `The credential ${caller.id} lacks the permission ${invokePermission}.`
      : `The credential ${caller.id} is of another tenant: let the owner bind ${invokerRoles[0]} to user:${caller.id}.`
  throw new Failure('forbidden', missing)
}
