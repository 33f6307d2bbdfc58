import { type ListName, lists } from '../season/lists.ts'

/** Parses CSV (RFC 4180): quoted fields may contain commas, quotes and line breaks. */
export function rowsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^,"\r\n]*))(,|\r?\n|$)/gy
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [all, quoted, plain = '', end = ''] = match
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '' || cell.lastIndex >= text.length) break
    if (end !== ',') rows.push([])
    if (all === '') break
  }
  return rows.filter((row) => row.some((value) => value !== ''))
}

/** Whether a field is a string by its schema, even if its value looks like a number. */
function isText(list: ListName, field: string): boolean {
  const { properties = {} } = lists[list].item as { properties?: Record<string, unknown> }
  return JSON.stringify(properties[field] ?? {}).includes('"string"')
}

function valueIn(list: ListName, field: string, text: string): unknown {
  if (text === '') return null
  if (isText(list, field)) return text
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/**
 * Parses items of a table whose columns are fields. `Red1` to `Blue3` are the teams of a match, `Red.autoPoints` a field
 * of an alliance's score.
 */
export function itemsOfCsv(list: ListName, text: string): unknown[] {
  const [head = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''))
  return rows.map((row) => {
    const item: Record<string, unknown> = {}
    const teams: unknown[] = []
    const sides: Record<string, Record<string, unknown>> = {}
    for (const [index, column] of head.entries()) {
      const value = valueIn(list, column, row[index] ?? '')
      const [, color, field] = /^(Red|Blue)\.(\w+)$/.exec(column) ?? []
      if (color !== undefined && field !== undefined) {
        sides[color] ??= { alliance: color }
        sides[color][field] = value
      } else if (/^(Red|Blue)\d$/.test(column)) teams.push({ teamNumber: value, station: column })
      else item[column] = value
    }
    if (teams.length > 0) item.teams = teams
    if (Object.keys(sides).length > 0) item.alliances = Object.values(sides)
    return item
  })
}
