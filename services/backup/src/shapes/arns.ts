import { accountOf, arnOf, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import { notFound } from '@icosa/kernel'
import { signingNames } from '../names.ts'

/** Whose something is. */
export interface Owner {
  readonly tenant: string
  readonly region: string
}

/** What has an ARN of this service, and what the last part of it begins with. */
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

/** The kind and name in an ARN of this service, if it is one of the owner's. */
export function readOwnArn({ tenant, region }: Owner, text: string): { kind: string; name: string } | undefined {
  const arn = parseArn(text)
  if (arn?.service !== signingNames[0] || arn.region !== region || !isAccountOf(arn.account, tenant)) return undefined
  const [, kind, name] = /^([a-z-]+):(.+)$/s.exec(arn.resource) ?? []
  return kind !== undefined && name !== undefined ? { kind, name } : undefined
}

/** The name of something by its ARN. One of another kind, account or region is not there. */
export function nameIn(owner: Owner, kind: Kind, noun: string, text: string): string {
  const found = readOwnArn(owner, text)
  return found?.kind === kind ? found.name : notFound(noun, text)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function pointIdIn(owner: Owner, text: string): string {
  const id = nameIn(owner, 'recovery-point', 'recovery point', text)
  return uuid.test(id) ? id : notFound('recovery point', text)
}

/**
 * The ARN of what any service has registered. Where the id is a path, as in the management services, the ARN has the path
 * as its last part: `arn:aws:sql-databases:us-east-1:123456789012:subscriptions/main/resourceGroups/...`.
 */
export function arnOfResource(
  owner: Owner,
  { service, id }: { readonly service: string; readonly id: string },
): string {
  return id.startsWith('arn:') ? id : arnOf({ ...owner, service, resource: id.replace(/^\//, '') })
}

/** Under which keys of the registry the resource of an ARN may be. A path is taken for itself, too. */
export function registryKeys({ tenant, region }: Owner, text: string): string[] {
  if (text.startsWith('/')) return [text.toLowerCase()]
  const arn = parseArn(text)
  if (!arn || !isAccountOf(arn.account, tenant) || (arn.region !== region && arn.region !== '')) return []
  const current = text.replace(`:${arn.account}:`, `:${accountOf(tenant)}:`)
  return [current, `/${arn.resource}`, arn.resource].map((key) => key.toLowerCase())
}
