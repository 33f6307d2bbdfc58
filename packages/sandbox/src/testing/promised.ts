import { readFileSync } from 'node:fs'

export const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

const columns = ['runsc', 'runc', 'bwrap', 'runsc without root'] as const

/** What the README says of an attempt: one word for each runtime. */
export function promised(name: string, column: (typeof columns)[number]): string {
  const cells = readme
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
    ?.split(' | ')
  return cells?.[1 + columns.indexOf(column)]?.replace(/[*|]/g, '').trim() ?? 'not in the README'
}
