import type { Api, Service, TenantRule, TenantSource } from '@icosa/kernel'
import { tagPrefixSource } from '@icosa/kernel'

/** How a router finds the tenant of a request: the first rule whose host and path match, and its first source that gives one. */
export interface RoutingRule extends TenantRule {
  readonly service: string
  /** Domain whose subdomains it is for; for all others, if it is missing. */
  readonly host?: string
  /** Regular expression. */
  readonly path: string
  readonly sources: readonly TenantSource[]
}

/** Rules of all APIs and pages, the most specific first. */
export function routingOf(services: readonly Service[]): RoutingRule[] {
  const rules = [...services.flatMap((service) => [...apiRules(service), ...pageRules(service)]), blobs]
  const shared = services.flatMap(({ apis }) =>
    apis.flatMap((api) => (api.dialect.locate === undefined ? [] : apiSources(api))),
  )
  const root: RoutingRule = { service: '', path: '^/', sources: unique([tagPrefixSource, ...shared]), otherwise: 'any' }
  const paths = new Map(rules.map((rule) => [rule.path, rule])) // a service's own rule replaces that of its API
  const bySpecificity = [...paths.values()].sort((a, b) => segments(b) - segments(a) || a.path.localeCompare(b.path))
  return [...services.flatMap(hostRules), ...bySpecificity, root]
}

/** Signed URLs of blobs in a folder: service and tenant are the first parts of their keys. */
const blobs: RoutingRule = {
  service: '',
  path: '^/_icosa/blobs/',
  sources: [{ in: 'path', pattern: '^/_icosa/blobs/[^/]+/([^/@]+)/', gives: 'tenant' }],
  otherwise: 'home',
}

const segments = ({ path }: RoutingRule) => path.split('/').length

/** Of two equal sources, the first remains. */
const unique = (sources: readonly TenantSource[]) => [
  ...new Map(sources.map((source) => [JSON.stringify(source), source])).values(),
]

const apiRules = (service: Service): RoutingRule[] =>
  service.apis.map((api) => ({
    service: service.name,
    path: patternOf(`/${service.name}${(api.at ?? '').replace(/\{[^}]*\}/g, ':any')}`),
    sources: [tagPrefixSource, ...apiSources(api)],
  }))

const pageRules = ({ name, tenantRules = {} }: Service): RoutingRule[] =>
  Object.entries(tenantRules).map(([path, { sources = [], otherwise }]) => ({
    service: name,
    path: patternOf(path),
    sources: [tagPrefixSource, ...sources],
    ...(otherwise && { otherwise }),
  }))

const hostRules = ({ name, subdomains }: Service): RoutingRule[] =>
  subdomains ? [{ service: name, host: subdomains.of, path: '^/', sources: subdomains.tenantSources }] : []

/** Matches a path in the router's syntax and all below it, with the prefix of a tag or without. */
const patternOf = (path: string) => `^(?:/~[^/]+)?${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '')}(?:/|$)`

const authorization: TenantSource = { in: 'header', name: 'authorization', gives: 'credential' }

function apiSources({ dialect: { authentication, tenantSources = [] } }: Api): TenantSource[] {
  if (authentication.kind === 'none') return [...tenantSources]
  if (authentication.kind !== 'key') return [authorization, ...tenantSources]
  const key: TenantSource = { in: 'header', name: authentication.header.toLowerCase(), gives: 'credential' }
  return unique([key, ...tenantSources])
}
