import type { Static } from '@icosa/contract'
import { Failure, invalid } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { unsupported } from '../unsupported.ts'
import type { Policy } from './contract.ts'
import { invokerRoles } from './names.ts'
import type { Binding, PolicyRow } from './store.ts'

type PolicyBody = Static<typeof Policy>

const versions: readonly number[] = [0, 1, 3]

export function checkVersion(version: number | undefined, at: string): void {
  if (version === undefined || versions.includes(version)) return
  invalid([{ at, message: 'must be 0, 1 or 3' }])
}

/** Opaque to callers: it changes with every change of the policy. */
export const etagOf = ({ number }: Pick<PolicyRow, 'number'>): string =>
  Buffer.from(`policy ${number}`).toString('base64')

export function toPolicy(row: PolicyRow): PolicyBody {
  const { version = 1, bindings = [] } = row.policy
  return {
    version,
    etag: etagOf(row),
    ...(bindings.length > 0 && { bindings: bindings.map(({ role, members }) => ({ role, members: [...members] })) }),
  }
}

const memberSyntax = /^(allUsers|allAuthenticatedUsers|(user|serviceAccount):[\w.@+-]{1,200})$/

/** The policy that a caller wants in the place of the current one; refused if that has changed since it was read. */
export function readPolicy(body: PolicyBody, current: PolicyRow): PolicyRow['policy'] {
  checkVersion(body.version, 'body/policy/version')
  if (body.auditConfigs && body.auditConfigs.length > 0) notBuilt(unsupported.auditConfigs)
  if (body.etag && body.etag !== etagOf(current))
    throw new Failure('conflict', 'The policy has changed since it was read: read it again, and repeat the change.', {
      code: 'ETAG_MISMATCH',
    })
  const bindings = (body.bindings ?? []).map(({ role, members = [], condition }, index): Binding => {
    if (condition) notBuilt(unsupported.conditions)
    if (!invokerRoles.includes(role)) notBuilt(unsupported.otherRoles, `The role '${role}'`)
    const wrong = members.find((member) => !memberSyntax.test(member))
    if (wrong !== undefined && /^(group|domain|principal|principalSet|deleted|project\w+):/.test(wrong))
      notBuilt(unsupported.otherMembers, `The member '${wrong}'`)
    if (wrong !== undefined)
      invalid([{ at: `body/policy/bindings/${index}/members`, message: `has '${wrong}', which names nobody` }])
    return { role, members: [...new Set(members)] }
  })
  return { version: body.version === 3 ? 3 : 1, bindings: merged(bindings) }
}

/** One binding for each role. */
function merged(bindings: readonly Binding[]): Binding[] {
  const byRole = Map.groupBy(bindings, ({ role }) => role)
  return [...byRole].flatMap(([role, all]) => {
    const members = [...new Set(all.flatMap((one) => one.members))]
    return members.length > 0 ? [{ role, members }] : []
  })
}
