import { accountOf, arnOf, isAccountOf, parseArn } from './arn.ts'

/** Account and region of the resources that a caller can name. */
export interface Owner {
  readonly tenant: string
  readonly region: string
}

/** A resource as the registry has it. */
export interface Registered {
  readonly service: string
  readonly id: string
}

const withoutSlash = (path: string) => path.replace(/^\//, '')

/**
 * ARN of a registered resource. Where the id is a path, as in the management services, the path is the last part of the ARN:
 * `arn:aws:sql-databases:us-east-1:123456789012:subscriptions/main/resourceGroups/...`.
 */
export const arnOfResource = (owner: Owner, { service, id }: Registered): string =>
  id.startsWith('arn:') ? id : arnOf({ ...owner, service, resource: withoutSlash(id) })

/** The canonical names of a resource: its ARN and its path, in lower case. */
export const namesOf = (owner: Owner, resource: Registered): readonly string[] =>
  [arnOfResource(owner, resource), withoutSlash(resource.id)].map((name) => name.toLowerCase())

/** Whether a text has the form of a name: an ARN, or a path with or without a slash in front. */
export const isResourceName = (text: string): boolean =>
  !text.includes('*') && (text.startsWith('arn:') ? parseArn(text) !== undefined : /^\/?[^/]+(\/[^/]+)+$/.test(text))

/** The canonical name that a text spells; undefined if it names nothing of this owner. */
export function canonicalName({ tenant, region }: Owner, text: string): string | undefined {
  if (!isResourceName(text)) return undefined
  const arn = parseArn(text)
  if (!arn) return withoutSlash(text).toLowerCase()
  if (!isAccountOf(arn.account, tenant) || !['', region].includes(arn.region.toLowerCase())) return undefined
  return arnOf({ service: arn.service, region, tenant, resource: arn.resource }).toLowerCase()
}

/** Keys under which the registry may have the resource of a canonical name. `namesOf` tells whether a row is the one. */
export function registryKeys(name: string): string[] {
  const arn = parseArn(name)
  return arn ? [name, `/${arn.resource}`, arn.resource] : [`/${name}`, name]
}

/** ARNs, in lower case, that the resource of a canonical name may have as one of these services. */
export const arnsNamed = ({ tenant, region }: Owner, name: string, services: Iterable<string>): string[] =>
  name.startsWith('arn:')
    ? [name]
    : [...new Set(services)].map((service) => `arn:aws:${service}:${region}:${accountOf(tenant)}:${name}`.toLowerCase())
