import type { Schema } from '@icosa/contract'

/** Elements have the attribute `data-evil`, and scripts call `evil`: a page that shows one as text has neither. */
export const payloads = [
  '<img src=x data-evil onerror="evil()">',
  'javascript:evil()',
  ' JaVaScRiPt:evil()//https://example.com/',
  '<svg data-evil onload="evil()"><a data-evil xlink:href="javascript:evil()">x</a></svg>',
  '"><script data-evil>evil()</script>',
  '</pre></textarea></title><iframe data-evil srcdoc="<script>parent.evil()</script>"></iframe>',
  'data:text/html,<script>evil()</script>',
  'https://example.com/" onmouseover="evil()" data-evil="',
  '\u202Emoc.elpmaxe\u2066\u200B \u0007\u001B[31m \u2028\u2029 \uD800',
  `\${evil()} {{constructor.constructor('evil()')()}} $& $1`,
  '../../../platform/keys?x=<b data-evil>#%2e%2e',
] as const

/** A megabyte in one field. */
export const long = '<b data-evil>long</b> '.repeat(48_000)

interface Shape {
  readonly type?: string
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
}

/** Names of members that change what an object is, in careless code. */
const names = ['__proto__', 'constructor', 'toString', payloads[0]] as const

/** Creates replies of a schema in which every text is a payload. */
export function hostileReplies() {
  let next = 0
  const text = () => payloads[next++ % payloads.length]
  function value(shape: Shape): unknown {
    const { type, anyOf, items, properties, additionalProperties } = shape
    const variant = anyOf?.find((one) => one.type !== 'null')
    if (variant) return value(variant)
    if (type === 'array') return [value(items ?? {}), value(items ?? {})]
    if (type === 'number' || type === 'integer') return ++next
    if (type === 'boolean') return true
    if (type !== 'object' && !properties) return text()
    const own = Object.entries(properties ?? {}).map(([name, member]) => [name, value(member)] as const)
    const inner = typeof additionalProperties === 'object' ? additionalProperties : {}
    const isOpen = own.length === 0 && additionalProperties !== false
    const others = isOpen ? names.map((name) => [name, value(inner)] as const) : []
    return Object.fromEntries([...own, ...others])
  }
  return (schema: Schema | null | undefined) => value((schema ?? {}) as unknown as Shape)
}
