import { limits } from '../limits.ts'

/** An OpenAPI path in the router's syntax. */
export interface Route {
  readonly url: string
  /** Returns the parameters by their names in the contract. */
  params(raw: Readonly<Record<string, string>>): Readonly<Record<string, string>>
}

const slot = /\{([^}=]+)(?:=([^}]+))?\}(:?)|:/g

/**
 * Translates an OpenAPI path for Fastify's router, in which parameter names must not contain '-', a ':verb' after a
 * parameter needs a pattern, and a literal ':' is doubled. `{name=projects/*}` binds several segments to one parameter.
 */
export function toRoute(path: string): Route {
  const templates: (readonly [name: string, template: string])[] = []
  let count = 0

  const url = path.replace(slot, (_, name?: string, pattern = '*', verb = '') => {
    if (name === undefined) return '::'
    let template = ''
    const parts: string[] = pattern.match(/\*|[^*]+/g) ?? []
    const route = parts.map((part, index) => {
      if (part !== '*') {
        template += part
        return part
      }
      const router = `p${count++}`
      template += `{${router}}`
      return verb && index === parts.length - 1 ? `:${router}(^[^:/]+)` : `:${router}`
    })
    templates.push([name, template])
    return route.join('') + (verb ? '::' : '')
  })
  const plain = templates.every(([, template]) => /^\{\w+\}$/.test(template))

  return { url, params: plain ? byName(templates) : byTemplate(templates) }
}

type Templates = readonly (readonly [name: string, template: string])[]

function byName(templates: Templates): Route['params'] {
  const pairs = templates.map(([name, template]) => [name, template.slice(1, -1)] as const)
  return (raw) => {
    const params: Record<string, string> = {}
    for (const [name, router] of pairs) params[name] = raw[router] ?? ''
    return params
  }
}

function byTemplate(templates: Templates): Route['params'] {
  return (raw) =>
    Object.fromEntries(
      templates.map(([name, template]) => [
        name,
        template.replace(/\{(\w+)\}/g, (_, router: string) => raw[router] ?? ''),
      ]),
    )
}

/** Matches the segments of a request path. */
export type PathMatcher = (segments: readonly string[]) => boolean

/** Splits a path once for all matchers. Ignores a trailing slash. */
export function segmentsOf(pathname: string): readonly string[] {
  return pathname.replace(trailingSlash, '').split('/')
}

const trailingSlash = /\/$/

/**
 * Matches a contract path case-sensitively, unlike the router. Works segment by segment, so its cost is linear in the
 * path, whatever the input.
 */
export function pathMatcher(path: string): PathMatcher {
  const parts = segmentsOf(path.replace(pattern, (_, template: string) => template.replaceAll('*', '{}'))).map(toPart)
  return (segments) => segments.length === parts.length && parts.every((part, index) => part(segments[index] as string))
}

const pattern = /\{[^}=]+=([^}]+)\}/g

/** One segment: a literal, a parameter, or a parameter with a verb. */
function toPart(segment: string): (text: string) => boolean {
  const [literal = '', ...after] = segment.split(/\{[^}]*\}/)
  if (after.length === 0) return (text) => text === literal
  const [ending = ''] = after
  if (after.length > 1) throw new Error(`Two parameters in one segment of a path are ambiguous: ${segment}`)
  const fixed = literal.length + ending.length
  return (text) =>
    text.length > fixed &&
    text.length - fixed <= limits.parameterLength &&
    text.startsWith(literal) &&
    text.endsWith(ending)
}
