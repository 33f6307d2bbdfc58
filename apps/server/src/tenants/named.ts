import {
  type NamePurpose,
  type RequestHead,
  type Service,
  type TagIn,
  type TenantSource,
  tagOfKey,
  tagOfSigningId,
} from '@icosa/kernel'
import { type RoutingRule, routingOf } from './routing.ts'

/** What a request names its tenant by. */
export type Named =
  | { readonly by: 'tag' | 'tenant' | NamePurpose; readonly value: string }
  | { readonly by: 'home' | 'any' | 'network' }

/** Returns what a request names its tenant by, or undefined. Reads nothing but its head, and verifies nothing. */
export function namedBy(rules: readonly RoutingRule[], { host, target, headers }: RequestHead): Named | undefined {
  const url = URL.parse(target, 'http://host')
  if (!url) return undefined
  const name = host.toLowerCase().replace(/:\d*$/, '')
  const rule = rules.find((each) => isOn(each, name) && expression(each.path, 'i').test(url.pathname))
  for (const source of rule?.sources ?? []) {
    const text = textOf(source, { host: name, url, headers })
    const [, part] = expression(source.pattern ?? '^(.*)$', 'is').exec(text ?? '') ?? []
    const named = part === undefined || part === '' ? undefined : meaning(source.gives, part)
    if (named) return named
  }
  return rule?.otherwise && { by: rule.otherwise }
}

/** Finds tags in requests to services. */
export function tagsIn(services: readonly Service[]): TagIn {
  let rules: readonly RoutingRule[] | undefined
  return (head) => {
    rules ??= routingOf(services)
    const named = namedBy(rules, head)
    return named?.by === 'tag' ? named.value : undefined
  }
}

/** Compiled once: a router applies all rules to every request. */
const expressions = { i: new Map<string, RegExp>(), is: new Map<string, RegExp>() }

function expression(source: string, flags: 'i' | 'is'): RegExp {
  const compiled = expressions[flags].get(source) ?? new RegExp(source, flags)
  expressions[flags].set(source, compiled)
  return compiled
}

const isOn = ({ host }: RoutingRule, name: string) => host === undefined || name.endsWith(`.${host}`)

interface Parts extends Pick<RequestHead, 'host' | 'headers'> {
  readonly url: URL
}

function textOf({ in: part, name = '' }: TenantSource, { host, url, headers }: Parts): string | undefined {
  switch (part) {
    case 'host':
      return host
    case 'path':
      return url.pathname
    case 'query':
      return url.searchParams.get(name) ?? undefined
    case 'header':
      return headers[name]
    case 'cookie':
      return headers.cookie
        ?.split(/; */)
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1)
  }
}

function meaning(gives: TenantSource['gives'], part: string): Named | undefined {
  switch (gives) {
    case 'credential':
      return credential(part)
    case 'tag':
      return { by: 'tag', value: part.toLowerCase() }
    case 'tenant in base64url':
      return { by: 'tenant', value: Buffer.from(part, 'base64url').toString() }
    case 'tenant':
      return { by: 'tenant', value: decoded(decoded(part)) } // keys of blobs are encoded before their URLs are
    default:
      return { by: gives, value: decoded(part).toLowerCase() }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A key, an access key ID or a token, by itself or as the parameter of a scheme of authorization. */
function credential(text: string): Named | undefined {
  const [, id] = /(?:Credential=|^)([\w-]+)(?:\/|$)/.exec(text) ?? []
  const basic = /^basic ([\w+/=-]+)$/i.exec(text)?.[1]
  const secret = basic === undefined ? text.replace(/^bearer /i, '') : passwordIn(basic)
  const tag = tagOfKey(secret) ?? tagOfSigningId(id ?? '')
  if (tag !== undefined) return { by: 'tag', value: tag }
  const tenant = tenantClaim(secret)
  return tenant === undefined ? undefined : { by: 'tenant', value: tenant }
}

const passwordIn = (basic: string) =>
  Buffer.from(basic, 'base64')
    .toString()
    .replace(/^[^:]*:/, '')

function tenantClaim(token: string): string | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? []
  if (payload === undefined) return undefined
  try {
    const { tenant } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof tenant === 'string' && tenant !== '' ? tenant : undefined
  } catch {
    return undefined
  }
}
