import { type Caller, type ExpiringCache, expiringCache, type Incoming, type Platform } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'
import { nameOf } from '../functions/view.ts'
import { membersOf } from './access.ts'
import { conditionOf } from './conditions.ts'
import { boundPermissions, roles } from './roles.ts'
import { find, type PolicyRow } from './store.ts'

/** A caller with the permissions that the policy of the requested function gives it, besides its own. */
export class BoundCaller implements Caller {
  readonly id: string
  readonly tenant: string
  readonly allows: Caller['allows']
  readonly own: Caller

  constructor(own: Caller, bound: ReadonlySet<string>) {
    this.id = own.id
    this.tenant = own.tenant
    this.own = own
    this.allows = (permission) => own.allows(permission) || bound.has(permission)
  }
}

/** The caller without what a policy gives it: that is about one function. */
export const ownOf = (caller: Caller): Caller => (caller instanceof BoundCaller ? caller.own : caller)

/** Policies of functions. Changes take effect within a second. */
export type Policies = ExpiringCache<PolicyRow['policy'] | undefined>

export const policiesOf = ({ database }: Pick<Platform, 'database'>): Policies =>
  expiringCache({
    name: 'functions policies',
    forMs: 1_000,
    limit: 10_000,
    async find(key) {
      const { tenant, ...place }: Place & { readonly tenant: string } = JSON.parse(key)
      return (await find(database.reading, tenant, place))?.policy
    },
  })

export const policyKey = (tenant: string, { project, location, function: id }: Place) =>
  JSON.stringify({ tenant, project, location, function: id })

const functionPath = /^(?:\/functions)?\/v[12]\/projects\/([^/?#]+)\/locations\/([^/?#]+)\/functions\/([^/?#:]+)/

/** Function that a request names, if any. */
export function placeOfPath(target: string): Place | undefined {
  try {
    const [, project, location, id] = functionPath.exec(target)?.map(decodeURIComponent) ?? []
    return project && location && id ? { project, location, function: id } : undefined
  } catch {
    return undefined // not percent-encoded: the router refuses it
  }
}

interface Granting {
  readonly policies: Policies
  readonly now: () => Date
}

/** Adds the permissions of the roles that the policy of the requested function binds its caller to. */
export function authorize(
  caller: Caller,
  { target }: Pick<Incoming, 'target'>,
  { policies, now }: Granting,
): Caller | Promise<Caller> {
  if (caller.isAnonymous || boundPermissions.every(caller.allows)) return caller
  const place = placeOfPath(target)
  if (!place) return caller
  const policy = policies.get(policyKey(caller.tenant, place))
  const bind = (found: PolicyRow['policy'] | undefined) => {
    const bound = boundOf(found, caller.id, { now: now(), resource: nameOf(place) })
    return bound.size > 0 ? new BoundCaller(caller, bound) : caller
  }
  return policy instanceof Promise ? policy.then(bind) : bind(policy)
}

function boundOf(
  policy: PolicyRow['policy'] | undefined,
  id: string,
  subject: Parameters<ReturnType<typeof conditionOf>>[0],
): ReadonlySet<string> {
  const bindings = (policy?.bindings ?? []).filter(
    ({ members, condition }) =>
      membersOf(id).some((member) => members.includes(member)) &&
      (!condition || conditionOf(condition.expression)(subject)),
  )
  return new Set(bindings.flatMap(({ role }) => roles[role] ?? []))
}
