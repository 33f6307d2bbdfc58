import { accountOf, arnOf, isAccountOf, parseArn } from './arn.ts'

/** Account and region of the resources that a caller can name. */
export interface Owner {
  readonly tenant: string
  readonly region: string
}

/** A registry entry. */
export interface Registered {
  readonly service: string
  readonly id: string
}

const withoutSlash = (path: string) => path.replace(/^\//, '')

/**
 * ARN of a registered resource. If its ID is a path, as in management services, the ARN ends in that path:
 * `arn:aws:sql-databases:us-east-1:123456789012:subscriptions/main/resourceGroups/...`.
 */
export const arnOfResource = (owner: Owner, { service, id }: Registered): string =>
  id.startsWith('arn:') ? id : arnOf({ ...owner, service, resource: withoutSlash(id) })

/** Canonical names of a resource: ARN and path, in lower case. */
export const namesOf = (owner: Owner, resource: Registered): readonly string[] =>
  [arnOfResource(owner, resource), withoutSlash(resource.id)].map((name) => name.toLowerCase())

/** Whether a text is syntactically a name: an ARN, or a path with or without a leading slash. */
export const isResourceName = (text: string): boolean =>
  !text.includes('*') && (text.startsWith('arn:') ? parseArn(text) !== undefined : /^\/?[^/]+(\/[^/]+)+$/.test(text))

/** Returns the canonical form of a name; undefined if it names nothing of this owner. */
export function canonicalName({ tenant, region }: Owner, text: string): string | undefined {
  if (!isResourceName(text)) return undefined
  const arn = parseArn(text)
  if (!arn) return withoutSlash(text).toLowerCase()
  if (!isAccountOf(arn.account, tenant) || !['', region].includes(arn.region.toLowerCase())) return undefined
  return arnOf({ service: arn.service, region, tenant, resource: arn.resource }).toLowerCase()
}

/** Keys under which the registry may list a resource. Check the row with `namesOf`. */
export function registryKeys(name: string): string[] {
  const arn = parseArn(name)
  return arn ? [name, `/${arn.resource}`, arn.resource] : [`/${name}`, name]
}

/** Possible ARNs, in lower case, of a canonical name in these services. */
export const arnsNamed = ({ tenant, region }: Owner, name: string, services: Iterable<string>): string[] =>
  name.startsWith('arn:')
    ? [name]
    : [...new Set(services)].map((service) => `arn:aws:${service}:${region}:${accountOf(tenant)}:${name}`.toLowerCase())
