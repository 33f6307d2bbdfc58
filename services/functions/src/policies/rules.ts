import type { Static } from '@icosa/contract'
import { Failure, invalid } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'
import { conditionOf } from './conditions.ts'
import type { Policy } from './contract.ts'
import { invokerRoles } from './names.ts'
import type { Binding, Condition, PolicyRow } from './store.ts'

type PolicyBody = Static<typeof Policy>

const versions: readonly number[] = [0, 1, 3]

export function checkVersion(version: number | undefined, at: string): void {
  if (version === undefined || versions.includes(version)) return
  invalid([{ at, message: 'must be 0, 1 or 3' }])
}

/** Opaque to callers. Changes with every update of the policy. */
export const etagOf = ({ number }: Pick<PolicyRow, 'number'>): string =>
  Buffer.from(`policy ${number}`).toString('base64')

export function toPolicy(row: PolicyRow): PolicyBody {
  const { version = 1, bindings = [] } = row.policy
  return {
    version,
    etag: etagOf(row),
    ...(bindings.length > 0 && {
      bindings: bindings.map((binding) => ({ ...binding, members: [...binding.members] })),
    }),
  }
}

const memberSyntax = /^(allUsers|allAuthenticatedUsers|(user|serviceAccount):[\w.@+-]{1,200})$/

/** Validates a new policy. Refused if the current one has changed since it was read. */
export function readPolicy(body: PolicyBody, current: PolicyRow): PolicyRow['policy'] {
  checkVersion(body.version, 'body/policy/version')
  if (body.auditConfigs && body.auditConfigs.length > 0) notSupported(unsupported.auditConfigs)
  if (body.etag && body.etag !== etagOf(current))
    throw new Failure('conflict', 'The policy has changed since it was read: read it again and retry.', {
      code: 'ETAG_MISMATCH',
    })
  const bindings = (body.bindings ?? []).map(({ role, members = [], condition }, index): Binding => {
    if (condition) checkCondition(condition, body.version, index)
    if (!invokerRoles.includes(role)) notSupported(unsupported.otherRoles, `The role '${role}'`)
    const unknown = members.find((member) => !memberSyntax.test(member))
    if (unknown !== undefined && /^(group|domain|principal|principalSet|deleted|project\w+):/.test(unknown))
      notSupported(unsupported.otherMembers, `The member '${unknown}'`)
    if (unknown !== undefined)
      invalid([
        { at: `body/policy/bindings/${index}/members`, message: `has '${unknown}', which is not a valid member` },
      ])
    return { role, members: [...new Set(members)], ...(condition && { condition: conditionIn(condition) }) }
  })
  return { version: body.version === 3 ? 3 : 1, bindings: merged(bindings) }
}

type Expr = NonNullable<NonNullable<PolicyBody['bindings']>[number]['condition']>

function checkCondition({ expression = '' }: Expr, version: number | undefined, index: number): void {
  conditionOf(expression)
  if (version !== 3)
    invalid([{ at: `body/policy/bindings/${index}/condition`, message: 'requires version 3 of the policy' }])
}

const conditionIn = ({ expression = '', ...more }: Expr): Condition => ({ expression, ...more })

/** Merges bindings of the same role and condition. */
function merged(bindings: readonly Binding[]): Binding[] {
  const groups = Map.groupBy(bindings, ({ role, condition }) => JSON.stringify([role, condition]))
  return [...groups.values()].flatMap((group) => {
    const members = [...new Set(group.flatMap((binding) => binding.members))]
    const [first] = group
    return first && members.length > 0 ? [{ ...first, members }] : []
  })
}
