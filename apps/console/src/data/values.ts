import type { View } from './catalogue.ts'

export type Item = Readonly<Record<string, unknown>>

/** Value at a dotted path. `*` is the first member. */
export function at(value: unknown, path: string): unknown {
  if (path === '') return value
  const [first = '', ...rest] = path.split('.')
  if (typeof value !== 'object' || value === null) return undefined
  const inner = first === '*' ? Object.values(value)[0] : (value as Item)[first]
  return at(inner, rest.join('.'))
}

/** Items in the reply of a list. */
export function itemsIn(body: unknown, { items }: View): Item[] {
  const [list = '', ...wrapper] = items.split('.')
  const found = at(body, list)
  if (!Array.isArray(found)) return []
  return found
    .map((one) => at(one, wrapper.join('.')))
    .map((one) => (typeof one === 'object' && one ? (one as Item) : { value: one }))
}

/** The item in the reply of `get`. */
export const itemIn = (body: unknown, { items, member }: View): Item => {
  const [list = '', ...wrapper] = items.split('.')
  const wrapped = wrapper.length > 0 ? at(at(body, `${list}.0`), wrapper.join('.')) : at(body, member ?? '')
  return (typeof wrapped === 'object' && wrapped ? wrapped : Object(body)) as Item
}

const segments = (path: string) => path.split('/').filter(Boolean)

/** Matches the end of a path template: `projects/a/things/b` against `/v2/projects/{p}/things/{t}`. Returns its parameters. */
function matched(template: string, path: string): Record<string, string> | undefined {
  const wanted = segments(template)
  const given = segments(path)
  const offset = wanted.length - given.length
  if (offset < 0 || given.length < 2) return undefined
  const found: Record<string, string> = {}
  for (const [index, segment] of given.entries()) {
    const expected = wanted[index + offset] ?? ''
    const [, name] = /^\{(.+)\}$/.exec(expected) ?? []
    if (name) found[name] = decodeURIComponent(segment)
    else if (expected.toLowerCase() !== segment.toLowerCase()) return undefined
  }
  return found
}

/** Never calls methods of the value: fields of a service's data may have their names. */
export const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Identifies an item within its list: by path parameters, or else by name. */
export function keyOf(view: View, item: Item): Record<string, string> {
  const params = Object.entries(view.key).map(([param, field]) => {
    const value = textOf(at(item, field)).toWellFormed() // a URL holds no lone surrogates
    return [param, (value.includes('/') && matched(view.path ?? '', value)?.[param]) || value]
  })
  return params.length > 0 ? Object.fromEntries(params) : { [view.name]: textOf(at(item, view.name)).toWellFormed() }
}

export const sameKey = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) =>
  Object.entries(a).every(([name, value]) => b[name] === value)

const maxName = 200

/** Display name: of a name that is a path, its last segment, shortened to what fits. */
export function nameOf(view: View, item: Item): string {
  const name = textOf(at(item, view.name))
  const key = keyOf(view, item)
  const isPath = view.path !== undefined && matched(view.path, name) !== undefined
  const whole = (isPath ? Object.values(key).at(-1) : undefined) || name || Object.values(key).join(' ').trim()
  return whole.slice(0, maxName)
}

export type StateKind = 'good' | 'busy' | 'bad' | 'off' | 'plain'

const kinds: readonly (readonly [StateKind, RegExp])[] = [
  ['bad', /fail|error|broken|silent|inaccessible|reject|expired|denied|alarm|unhealthy|partial/i],
  ['off', /disabl|paus|stop|suspend|delet(ed)?$|cancel|inactive|archiv|revoked|closed|not/i],
  [
    'good',
    /^(succeeded|success|successful|active|running|ready|enabled|online|complete|completed|approved|available|trained|accepted|deployed|ok|sent|live|true|valid|intact|alive)$/i,
  ],
  ['busy', /ing$|progress|queued|creat|start|wait/i],
]

export const stateKind = (state: string): StateKind => kinds.find(([, pattern]) => pattern.test(state))?.[0] ?? 'plain'

export const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Whether work is in progress, so that the state will change by itself. */
export const isBusy = (view: View, item: Item) =>
  view.state !== undefined && stateKind(textOf(at(item, view.state))) === 'busy'

/** Parses a time in any format that the services use. */
export function timeOf(value: unknown): Date | undefined {
  if (typeof value === 'number') return value > 0 ? new Date(value > 1e11 ? value : value * 1000) : undefined
  if (typeof value !== 'string' || !/^\d{4}-\d\d/.test(value)) return undefined
  const iso = value.replace(/^(\S+) (\d\d:\d\d:\d\d(\.\d{1,3})?)\d*$/, '$1T$2Z')
  const time = new Date(iso)
  return Number.isNaN(time.getTime()) ? undefined : time
}

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

export function ago(time: Date, now: Date): string {
  const seconds = (time.getTime() - now.getTime()) / 1000
  const [unit, size] = unitOf(seconds)
  return relative.format(Math.round(seconds / size), unit)
}

const unitOf = (seconds: number) => units.find(([, least]) => Math.abs(seconds) >= least) ?? (['second', 1] as const)

/** A duration of at least a minute in its largest unit, such as `3 days`. */
export function duration(ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 60_000) * 60
  const [unit, size] = unitOf(seconds)
  const count = Math.round(seconds / size)
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
