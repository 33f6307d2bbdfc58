import { limits } from '../limits.ts'

/** An OpenAPI path in the router's own spelling. */
export interface Route {
  readonly url: string
  /** The parameters under the names of the contract. */
  params(raw: Readonly<Record<string, string>>): Readonly<Record<string, string>>
}

const slot = /\{([^}=]+)(?:=([^}]+))?\}(:?)|:/g

/**
 * Contract paths are OpenAPI paths, verbatim. Fastify's router has other rules: a parameter's name may not hold
 * '-', a ':verb' after a parameter must be fenced by a pattern, a literal ':' is doubled.
 * `{name=projects/*}` binds several segments to one parameter.
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

/** A path as the contract writes it, ready to be compared with those that come in. */
export type PathMatcher = (segments: readonly string[]) => boolean

/** A path taken apart, once for all the matchers that look at it. Slashes at the end do not count. */
export function segmentsOf(pathname: string): readonly string[] {
  return pathname.replace(trailingSlash, '').split('/')
}

const trailingSlash = /\/$/

/**
 * Whether a path is the contract's, letter by letter: the router itself looks past case. Segment by segment, so that the
 * cost never grows faster than the path, whatever strangers put into it.
 */
export function pathMatcher(path: string): PathMatcher {
  const parts = segmentsOf(path.replace(pattern, (_, template: string) => template.replaceAll('*', '{}'))).map(toPart)
  return (segments) => segments.length === parts.length && parts.every((part, index) => part(segments[index] as string))
}

const pattern = /\{[^}=]+=([^}]+)\}/g

/** One segment: a literal, a parameter, or a parameter with a verb behind it. */
function toPart(segment: string): (text: string) => boolean {
  const [literal = '', ...after] = segment.split(/\{[^}]*\}/)
  if (after.length === 0) return (text) => text === literal
  const [ending = ''] = after
  if (after.length > 1) throw new Error(`Two parameters in one segment of a path cannot be told apart: ${segment}`)
  const fixed = literal.length + ending.length
  return (text) =>
    text.length > fixed &&
    text.length - fixed <= limits.parameterLength &&
    text.startsWith(literal) &&
    text.endsWith(ending)
}
