import { arnOf, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import { invalid, type ReadingContext, type ResourcesOf } from '@icosa/kernel'
import { arnService, type ResourceKind, resources } from '../names.ts'

export interface Owner {
  readonly tenant: string
  readonly region: string
}

export const ownerIn =
  (region: string) =>
  ({ caller }: ReadingContext): Owner => ({ tenant: caller.tenant, region })

export type TagMap = Readonly<Record<string, string>>

export const arnOfResource = ({ tenant, region }: Owner, kind: ResourceKind, name: string) =>
  arnOf({ service: arnService, region, tenant, resource: `${resources[kind].path}/${name}` })

/** Parses the ARN of a resource of this owner; undefined for others. */
export function resourceOf({ tenant, region }: Owner, arn: string): { kind: ResourceKind; name: string } | undefined {
  const parsed = parseArn(arn)
  if (parsed?.service !== arnService || parsed.region !== region || !isAccountOf(parsed.account, tenant))
    return undefined
  const [, path, name] = /^(\w+)\/([\w-]{1,128})$/.exec(parsed.resource) ?? []
  const kind = (Object.keys(resources) as ResourceKind[]).find((candidate) => resources[candidate].path === path)
  return kind && name !== undefined ? { kind, name } : undefined
}

/** Registers a resource or updates its tags. */
export const register = (registry: ResourcesOf, owner: Owner, kind: ResourceKind, name: string, tags: TagMap) =>
  registry.put({ id: arnOfResource(owner, kind, name), type: resources[kind].type, name, tags })

export const unregister = (registry: ResourcesOf, owner: Owner, kind: ResourceKind, name: string) =>
  registry.remove(arnOfResource(owner, kind, name))

export function tagMap(tags: readonly { readonly key: string; readonly value: string }[] = []): TagMap {
  const map = Object.fromEntries(tags.map(({ key, value }) => [key, value]))
  if (Object.keys(map).length < tags.length) invalid([{ at: 'body/tags', message: 'has a duplicate key' }])
  return map
}
