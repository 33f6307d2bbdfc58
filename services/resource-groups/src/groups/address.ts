import { arnOf, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import { invalid, notFound } from '@icosa/kernel'
import { signingNames } from '../names.ts'

/** Where a group is. Its key is its name in lower case. */
export interface GroupKey {
  readonly tenant: string
  readonly key: string
}

/** Of whom and where: what the ARNs of a caller's groups have in common. */
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

/** The group that a request means: by its name, or by name or ARN. */
export function addressed(scope: AccountScope, { GroupName, Group }: WhichGroup): GroupKey {
  const named = [GroupName, Group].filter((name) => name !== undefined)
  if (named.length !== 1) invalid([{ at: 'body', message: 'must name the group with either Group or GroupName' }])
  const [name = ''] = named
  return name.startsWith('arn:') ? byArn(scope, name, 'body/Group') : { tenant: scope.tenant, key: keyOf(name) }
}

/** One of another tenant or region is not there. */
export function byArn({ tenant, region }: AccountScope, text: string, at: string): GroupKey {
  const arn = parseArn(text)
  const name = /^group\/([a-zA-Z0-9_.-]{1,300})$/.exec(arn?.resource ?? '')?.[1]
  if (!arn || name === undefined || arn.service !== signingNames[0])
    invalid([{ at, message: `is not the ARN of a group, such as ${groupArn({ tenant, region }, 'name')}` }])
  if (!isAccountOf(arn.account, tenant) || arn.region !== region) notFound('group', text)
  return { tenant, key: keyOf(name) }
}
