import { invalid } from '@icosa/kernel'

/** The query of a request. Names are compared without case. */
export interface Query {
  /** A parameter that can be given once. */
  one(name: string): string | undefined
  all(name: string): readonly string[]
  /** The query without some parameters, to be sent again. */
  without(...names: string[]): URLSearchParams
}

export function readQuery(target: string): Query {
  const start = target.indexOf('?')
  const entries = [...new URLSearchParams(start < 0 ? '' : target.slice(start + 1))]
  const all = (name: string) => entries.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value)
  return {
    all,
    one(name) {
      let found: string | undefined
      for (const [one, value] of entries) {
        if (one.toLowerCase() !== name) continue
        if (found !== undefined) invalid([{ at: `query/${name}`, message: 'is given twice' }])
        found = value
      }
      return found
    },
    without: (...names) => new URLSearchParams(entries.filter(([one]) => !names.includes(one.toLowerCase()))),
  }
}

const known = /^(1\.0|\d{4}-\d{2}-\d{2}(-preview)?)$/

/** Every request says which version it speaks. They differ in what clients know of, so all are answered alike. */
export function checkVersion(query: Query): void {
  const version = query.one('api-version')
  if (version === undefined) invalid([{ at: 'query/api-version', message: 'is required, such as 1.0' }])
  if (!known.test(version)) invalid([{ at: 'query/api-version', message: 'must be 1.0 or a date such as 2023-11-01' }])
}

/** Which fields of an item a caller wants; all of them if it does not say. */
export function readSelect(query: Query, fields: readonly string[]): (item: object) => object {
  const select = query.one('$select')
  if (select === undefined || select === '') return (item) => item
  const wanted = select.split(',').map((field) => field.trim().toLowerCase())
  const wrong = wanted.filter((field) => !fields.includes(field))
  if (wrong.length > 0)
    invalid([{ at: 'query/$select', message: `can have ${fields.join(', ')}, not ${wrong.join(', ')}` }])
  return (item) => Object.fromEntries(Object.entries(item).filter(([field]) => wanted.includes(field)))
}
