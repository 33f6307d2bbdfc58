import { invalid } from '@icosa/kernel'

export interface Term {
  readonly field: string
  /** Equal, not equal, or contains regardless of case. */
  readonly operator: '=' | '!=' | ':'
  readonly value: string
}

const term = /^\s*([\w.]+(?:\."[^"]+"|-[\w-]+)*)\s*(!=|=|:)\s*("(?:[^"\\]|\\.)*"|[^\s"()]+)\s*$/

/** Parses `state = "ACTIVE" AND labels.env = prod`. Refuses anything else, and unknown fields. */
export function readFilter(filter: string, fields: readonly string[], isOther = (_: string) => false): Term[] {
  if (filter.trim() === '') return []
  return filter.split(/\s+AND\s+/).map((text) => {
    const [, field = '', operator, quoted = ''] = term.exec(text) ?? []
    if (!fields.includes(field) && !isOther(field))
      invalid([
        {
          at: 'query/filter',
          message: `'${text.trim()}' is not a valid filter: write FIELD = VALUE, FIELD != VALUE or FIELD:VALUE, joined by AND, with one of ${fields.join(', ')}`,
        },
      ])
    const value = quoted.startsWith('"') ? quoted.slice(1, -1).replace(/\\(.)/g, '$1') : quoted
    return { field, operator: operator as Term['operator'], value }
  })
}

export function filtered<T extends object>(items: readonly T[], filter: string, fields: readonly (keyof T & string)[]) {
  const terms = readFilter(filter, fields)
  const matches = (item: T, { field, operator, value }: Term): boolean => {
    const text = String(item[field as keyof T])
    if (operator !== ':') return (text === value) === (operator === '=')
    return value === '*' || text.toLowerCase().includes(value.toLowerCase())
  }
  return items.filter((item) => terms.every((filterTerm) => matches(item, filterTerm)))
}
