import type { Static } from '@icosa/contract'
import { Failure, invalid } from '@icosa/kernel'
import { conditionOf } from './conditions.ts'
import type { Policy } from './contract.ts'
import { invokerRoles } from './names.ts'
import { roles } from './roles.ts'
import type { AuditConfig, Binding, Condition, PolicyRow } from './store.ts'

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
  const { version = 1, bindings = [], auditConfigs = [] } = row.policy
  return {
    version,
    etag: etagOf(row),
    ...(bindings.length > 0 && {
      bindings: bindings.map((binding) => ({ ...binding, members: [...binding.members] })),
    }),
    ...(auditConfigs.length > 0 && {
      auditConfigs: auditConfigs.map(({ service, auditLogConfigs }) => ({
        service,
        auditLogConfigs: auditLogConfigs.map(({ logType, exemptedMembers = [] }) => ({
          logType,
          exemptedMembers: [...exemptedMembers],
        })),
      })),
    }),
  }
}

/** Anyone may be an invoker; other roles need a credential of the tenant. */
function checkMembers(members: readonly string[], role: string, at: string): void {
  const isInvoker = invokerRoles.includes(role)
  for (const member of members) {
    const isKnown = memberSyntax.test(member)
    if (!isKnown)
      invalid([
        {
          at,
          message: `has '${member}', which is not a member here: use ${isInvoker ? 'allUsers, allAuthenticatedUsers, ' : ''}user:ID or serviceAccount:ID, with the id of a credential or the address of a service account`,
        },
      ])
    if (!isInvoker && member.startsWith('all'))
      invalid([{ at, message: `has ${member}, which can only be bound to ${invokerRoles.join(' or ')}` }])
  }
}

const auditedServices: readonly string[] = ['allServices', 'cloudfunctions.googleapis.com']

type AuditConfigBody = NonNullable<PolicyBody['auditConfigs']>[number]

function readAuditConfig({ service = '', auditLogConfigs = [] }: AuditConfigBody, index: number): AuditConfig {
  const at = `body/policy/auditConfigs/${index}`
  if (!auditedServices.includes(service))
    invalid([{ at: `${at}/service`, message: `must be ${auditedServices.join(' or ')}` }])
  return {
    service,
    auditLogConfigs: auditLogConfigs.map(({ logType, exemptedMembers = [] }) => {
      if (logType === undefined || logType === 'LOG_TYPE_UNSPECIFIED')
        invalid([{ at: `${at}/auditLogConfigs`, message: 'requires a logType' }])
      const unknown = exemptedMembers.find((member) => !memberSyntax.test(member) || member.startsWith('all'))
      if (unknown !== undefined)
        invalid([{ at: `${at}/auditLogConfigs`, message: `exempts '${unknown}': use user:ID or serviceAccount:ID` }])
      return { logType, ...(exemptedMembers.length > 0 && { exemptedMembers }) }
    }),
  }
}

const memberSyntax = /^(allUsers|allAuthenticatedUsers|(user|serviceAccount):[\w.@+-]{1,200})$/

/** Validates a new policy. Refused if the current one has changed since it was read. */
export function readPolicy(body: PolicyBody, current: PolicyRow): PolicyRow['policy'] {
  checkVersion(body.version, 'body/policy/version')
  if (body.etag && body.etag !== etagOf(current))
    throw new Failure('conflict', 'The policy has changed since it was read: read it again and retry.', {
      code: 'ETAG_MISMATCH',
    })
  const bindings = (body.bindings ?? []).map(({ role, members = [], condition }, index): Binding => {
    if (condition) checkCondition(condition, body.version, index)
    if (!Object.hasOwn(roles, role))
      invalid([
        {
          at: `body/policy/bindings/${index}/role`,
          message: `is '${role}', which is not a role of functions: choose one of ${Object.keys(roles).join(', ')}`,
        },
      ])
    checkMembers(members, role, `body/policy/bindings/${index}/members`)
    return { role, members: [...new Set(members)], ...(condition && { condition: conditionIn(condition) }) }
  })
  return {
    version: body.version === 3 ? 3 : 1,
    bindings: merged(bindings),
    ...(body.auditConfigs && { auditConfigs: body.auditConfigs.map(readAuditConfig) }),
  }
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
