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

/** Whether the literal parts of a path are written as in the contract: the router itself looks past case. */
export function caseChecker(path: string): (pathname: string) => boolean {
  const pattern = path
    .replace(/\/$/, '')
    .split(/(\{[^}]+\})/)
    .map((part) => (part.startsWith('{') ? '.+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('')
  const expression = new RegExp(`^${pattern}/?$`)
  return (pathname) => expression.test(pathname)
}
