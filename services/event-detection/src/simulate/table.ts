import { showJson, type Value } from '../expressions/value.ts'
import type { Row } from './simulate.ts'

const headings = ['time', 'key', 'trigger', 'state', 'variables', 'timers', 'sends', 'problems']

/** Plain text table, without empty columns. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map(cellsOf)
  const columns = headings.map((_, column) => column).filter((column) => cells.some((row) => row[column] !== ''))
  const widths = columns.map((column) => Math.max(...[headings, ...cells].map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    columns.map((column, index) => row[column]?.padEnd(widths[index] ?? 0)).join('  ')
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  return [line(headings), rule, ...cells.map(line)].map((text) => text.trimEnd()).join('\n')
}

function cellsOf({ at, keyValue = '', trigger, state, transitions, effects, errors }: Row): readonly string[] {
  const path = [...transitions.slice(0, 1).flatMap(({ from }) => from ?? []), ...transitions.map(({ to }) => to)]
  return [
    time(at),
    keyValue,
    trigger,
    path.length > 0 ? path.join(' > ') : state.stateName,
    list(state.variables, showJson),
    list(state.timers, time),
    effects.map(({ action, target }) => `${action} ${Object.values(target)[0] ?? ''}`.trim()).join(', '),
    errors.map(({ path: place, message }) => `${place}: ${message}`).join('; '),
  ]
}

const time = (at: Value) => new Date(Number(at)).toISOString().replace('.000Z', 'Z')

const list = <T extends Value>(values: Readonly<Record<string, T>>, show: (value: T) => string) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${show(value)}`)
    .join(' ')
