import { arnOf, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import { invalid, notFound } from '@icosa/kernel'
import { signingNames } from '../names.ts'

/** Identifies a group. `key` is its name in lower case. */
export interface GroupKey {
  readonly tenant: string
  readonly key: string
}

/** The common part of the ARNs of a caller's groups. */
export interface AccountScope {
  readonly tenant: string
  readonly region: string
}

export const keyOf = (name: string) => name.toLowerCase()

export const groupArn = ({ tenant, region }: AccountScope, name: string) =>
  arnOf({ service: signingNames[0], region, tenant, resource: `group/${name}` })

export interface WhichGroup {
  readonly GroupName?: string
  readonly Group?: string
}

/** Resolves `GroupName`, a name, or `Group`, a name or an ARN. */
export function groupKeyOf(scope: AccountScope, { GroupName, Group }: WhichGroup): GroupKey {
  const names = [GroupName, Group].filter((name) => name !== undefined)
  if (names.length !== 1) invalid([{ at: 'body', message: 'must name the group with either Group or GroupName' }])
  const [name = ''] = names
  return name.startsWith('arn:') ? byArn(scope, name, 'body/Group') : { tenant: scope.tenant, key: keyOf(name) }
}

/** Groups of other tenants and regions are not found. */
export function byArn({ tenant, region }: AccountScope, text: string, at: string): GroupKey {
  const arn = parseArn(text)
  const name = /^group\/([a-zA-Z0-9_.-]{1,300})$/.exec(arn?.resource ?? '')?.[1]
  if (!arn || name === undefined || arn.service !== signingNames[0])
    invalid([{ at, message: `is not the ARN of a group, such as ${groupArn({ tenant, region }, 'name')}` }])
  if (!isAccountOf(arn.account, tenant) || arn.region !== region) notFound('group', text)
  return { tenant, key: keyOf(name) }
}
