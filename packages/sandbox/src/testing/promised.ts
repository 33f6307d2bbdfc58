import { readFileSync } from 'node:fs'

export const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')

const columns = ['runsc', 'runc', 'bwrap', 'runsc without root'] as const

/** The README's claim about an attempt: one word per runtime. */
export function promised(name: string, column: (typeof columns)[number]): string {
  const cells = readme
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`))
    ?.split(' | ')
  return cells?.[1 + columns.indexOf(column)]?.replace(/[*|]/g, '').trim() ?? 'not in the README'
}
