import { implement, invalid, notFound, ok, type ReadingContext } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'
import { nameOf } from '../functions/view.ts'
import { invokersOf, mayInvoke } from './access.ts'
import { policies as contract } from './contract.ts'
import { invokePermissions, permissions } from './names.ts'
import { checkVersion, readPolicy, toPolicy } from './rules.ts'
import * as store from './store.ts'

export const policies = implement(contract, {
  async getIamPolicy({ params, query }, context) {
    checkVersion(query['options.requestedPolicyVersion'], 'query/options.requestedPolicyVersion')
    return ok(toPolicy(await policyOf(context, params)))
  },

  async readIamPolicy({ params, body }, context) {
    checkVersion(body.options?.requestedPolicyVersion, 'body/options/requestedPolicyVersion')
    return ok(toPolicy(await policyOf(context, params)))
  },

  async setIamPolicy({ params, body }, { db, caller }) {
    const current = (await store.findLocked(db, caller.tenant, params)) ?? missing(params)
    const desired = readPolicy(body.policy ?? {}, current)
    return ok(toPolicy(await store.replace(db, caller.tenant, params, masked(current, desired, body.updateMask))))
  },

  async testIamPermissions({ params, body }, context) {
    const { policy } = await policyOf(context, params)
    const { caller, clock } = context
    const mayCall = mayInvoke(
      invokersOf(policy.bindings, { now: clock.now(), resource: nameOf(params) }),
      caller.tenant,
      caller,
    )
    const has = (permission: string) => {
      const required = Object.hasOwn(permissions, permission) ? permissions[permission] : undefined
      return invokePermissions.includes(permission) ? mayCall : required !== undefined && caller.allows(required)
    }
    return ok({ permissions: (body.permissions ?? []).filter(has) })
  },
})

async function policyOf({ db, caller }: ReadingContext, place: Place): Promise<store.PolicyRow> {
  return (await store.find(db, caller.tenant, place)) ?? missing(place)
}

function missing(place: Place): never {
  return notFound('function', nameOf(place))
}

const fields = ['bindings', 'etag', 'version', 'auditConfigs', 'audit_configs', '*', '']

/** Applies an update mask; by default bindings, and auditConfigs if sent. */
function masked(current: store.PolicyRow, desired: store.PolicyRow['policy'], mask = ''): store.PolicyRow['policy'] {
  const maskFields = mask.split(',').map((field) => field.trim())
  const unknown = maskFields.find((field) => !fields.includes(field))
  if (unknown !== undefined)
    invalid([{ at: 'body/updateMask', message: `has '${unknown}', which is not a field of a policy` }])
  const has = (...names: string[]) => maskFields.some((field) => names.includes(field))
  const { bindings, version } = has('', '*', 'bindings') ? desired : current.policy
  const isAudited = has('*', 'auditConfigs', 'audit_configs') || (has('') && desired.auditConfigs !== undefined)
  const { auditConfigs } = isAudited ? desired : current.policy
  return {
    ...(version !== undefined && { version }),
    ...(bindings && { bindings }),
    ...(auditConfigs && auditConfigs.length > 0 && { auditConfigs }),
  }
}
