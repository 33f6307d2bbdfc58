import { arnOf, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import { invalid, type ReadingContext, type ResourcesOf } from '@icosa/kernel'
import { arnService, type ResourceKind, resources } from '../names.ts'

/** Whose a resource is. */
export interface Owner {
  readonly tenant: string
  readonly region: string
}

/** Whose what a request makes is. */
export const ownerIn =
  (region: string) =>
  ({ caller }: ReadingContext): Owner => ({ tenant: caller.tenant, region })

export type TagMap = Readonly<Record<string, string>>

export const arnOfResource = ({ tenant, region }: Owner, kind: ResourceKind, name: string) =>
  arnOf({ service: arnService, region, tenant, resource: `${resources[kind].path}/${name}` })

/** The resource that an ARN names, if it is one of this owner's. */
export function resourceOf({ tenant, region }: Owner, arn: string): { kind: ResourceKind; name: string } | undefined {
  const parsed = parseArn(arn)
  if (parsed?.service !== arnService || parsed.region !== region || !isAccountOf(parsed.account, tenant))
    return undefined
  const [, path, name] = /^(\w+)\/([\w-]{1,128})$/.exec(parsed.resource) ?? []
  const kind = (Object.keys(resources) as ResourceKind[]).find((one) => resources[one].path === path)
  return kind && name !== undefined ? { kind, name } : undefined
}

/** Tells the platform of a resource, or of its new tags. */
export const register = (registry: ResourcesOf, owner: Owner, kind: ResourceKind, name: string, tags: TagMap) =>
  registry.put({ id: arnOfResource(owner, kind, name), type: resources[kind].type, name, tags })

export const unregister = (registry: ResourcesOf, owner: Owner, kind: ResourceKind, name: string) =>
  registry.remove(arnOfResource(owner, kind, name))

export function tagMap(tags: readonly { readonly key: string; readonly value: string }[] = []): TagMap {
  const map = Object.fromEntries(tags.map(({ key, value }) => [key, value]))
  if (Object.keys(map).length < tags.length) invalid([{ at: 'body/tags', message: 'names a key twice' }])
  return map
}
