import { type Caller, Failure } from '@icosa/kernel'
import { serviceName } from '../names.ts'
import { conditionOf, type Subject } from './conditions.ts'
import { invokerRoles } from './names.ts'
import { roles } from './roles.ts'
import type { Binding } from './store.ts'

/** Permission with which credentials of the same tenant may call a function. */
export const invokePermission = `${serviceName}:invokeFunction`

const allUsers = 'allUsers'
const authenticatedUsers = 'allAuthenticatedUsers'

/** Members that stand for a credential, by its id. */
export const membersOf = (id: string): readonly string[] => [`user:${id}`, `serviceAccount:${id}`]

/** Members that may call a function now. */
export const invokersOf = (bindings: readonly Binding[] = [], subject: Subject): ReadonlySet<string> =>
  new Set(
    bindings.flatMap(({ role, members, condition }) =>
      roles[role]?.includes(invokePermission) && (!condition || conditionOf(condition.expression)(subject))
        ? members
        : [],
    ),
  )

export const isPublic = (invokers: ReadonlySet<string>) => invokers.has(allUsers)

/** Whether a caller may call a function of a tenant, by a binding or by permission. */
export function mayInvoke(invokers: ReadonlySet<string>, tenant: string, caller: Caller | undefined): boolean {
  if (isPublic(invokers)) return true
  if (!caller) return false
  const isBound = invokers.has(authenticatedUsers) || membersOf(caller.id).some((member) => invokers.has(member))
  return isBound || (caller.tenant === tenant && caller.allows(invokePermission))
}

/** Fails with the missing credential or permission. */
export function demandInvoker(invokers: ReadonlySet<string>, tenant: string, caller: Caller | undefined): void {
  if (mayInvoke(invokers, tenant, caller)) return
  if (!caller)
    throw new Failure(
      'unauthenticated',
      `This function is not public: send a token or key in the header Authorization, after "Bearer ", or ask its owner to bind ${invokerRoles[0]} to ${allUsers}.`,
    )
  const missing =
    caller.tenant === tenant
      ? `The credential ${caller.id} lacks the permission ${invokePermission}.`
      : `The credential ${caller.id} belongs to another tenant: ask the owner to bind ${invokerRoles[0]} to user:${caller.id}.`
  throw new Failure('forbidden', missing)
}
