import { arnOf, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import type { Owner } from '@icosa/dialects/signed/resource-name'
import { Failure, notFound } from '@icosa/kernel'
import { invalidRequest } from '../exceptions.ts'
import { signingNames } from '../names.ts'

export type { Owner }

/** Resource types of this service's ARNs. */
export type Kind =
  | 'backup-vault'
  | 'recovery-point'
  | 'backup-plan'
  | 'legal-hold'
  | 'framework'
  | 'report-plan'
  | 'restore-testing-plan'

export const ownArn = ({ tenant, region }: Owner, kind: Kind, name: string) =>
  arnOf({ service: signingNames[0], region, tenant, resource: `${kind}:${name}` })

/** Parses an ARN of this service that belongs to the owner. */
export function parseOwnArn({ tenant, region }: Owner, text: string): { kind: string; name: string } | undefined {
  const arn = parseArn(text)
  if (arn?.service !== signingNames[0] || arn.region !== region || !isAccountOf(arn.account, tenant)) return undefined
  const [, kind, name] = /^([a-z-]+):(.+)$/s.exec(arn.resource) ?? []
  return kind !== undefined && name !== undefined ? { kind, name } : undefined
}

/** The name in an ARN of this kind. One of another kind, account or region is not found. */
export function nameIn(owner: Owner, kind: Kind, noun: string, text: string): string {
  const arn = parseOwnArn(owner, text)
  return arn?.kind === kind ? arn.name : notFound(noun, text)
}

/** The destination vault of a copy, in the same account and region, since no account is part of an organization. */
export function copyTarget(owner: Owner, text: string): string {
  const arn = parseArn(text)
  if (arn?.service === signingNames[0] && (arn.region !== owner.region || !isAccountOf(arn.account, owner.tenant)))
    throw new Failure(
      'invalid',
      'The account is not part of an organization: copies go to vaults of its own, in the same region.',
      { code: invalidRequest },
    )
  return nameIn(owner, 'backup-vault', 'vault', text)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function pointIdIn(owner: Owner, text: string): string {
  const id = nameIn(owner, 'recovery-point', 'recovery point', text)
  return uuid.test(id) ? id : notFound('recovery point', text)
}
