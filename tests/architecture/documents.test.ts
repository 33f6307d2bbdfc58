import { existsSync, readdirSync } from 'node:fs'
import { operationsOfApi } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'
import { root, tableOf, textOf } from './sources.ts'

test('ARCHITECTURE.md names the dialect of the first API of every service', async () => {
  const listed = tableOf('ARCHITECTURE.md', 'Dialect').flatMap(([dialect = '', letters = '']) =>
    letters
      .replace(/, data planes.*/, '')
      .split(' ')
      .map((letter) => `${letter} ${dialect.replaceAll('`', '')}`),
  )
  const shared = readdirSync(new URL('packages/dialects/src/', root))
  const used = (await allServices()).map((service) => {
    const name = operationsOfApi(service, service.apis[0])[0]?.operation.dialect.name ?? ''
    return `${service.letter} ${shared.includes(name) ? name : 'of their own'}`
  })
  expect(listed.sort()).toEqual(used.sort())
})

test('docs/develop/operations.md states how many requests coverage tests generate', () => {
  const [, often, nightly] =
    /generatedCases = sized\((\d+), (\d+)\)/.exec(textOf('packages/testing/src/coverage.ts')) ?? []
  const page = textOf('docs/develop/operations.md').replaceAll(/\s+/g, ' ')
  expect(page).toContain(`${often} generated requests (nightly ${nightly})`)
})

test('docs/adr/README.md lists the unused numbers', () => {
  const numbers = readdirSync(new URL('docs/adr/', root)).flatMap((file) => /^(\d{4})-.*\.md$/.exec(file)?.[1] ?? [])
  const used = new Set(numbers.map(Number))
  expect(used.size, 'decision numbers are unique').toBe(numbers.length)
  const unused = Array.from({ length: Math.max(...used) }, (_, at) => at + 1).filter((number) => !used.has(number))
  const [, listed = ''] = /numbers ([\d, and]+) were never used/.exec(textOf('docs/adr/README.md')) ?? []
  expect(listed.match(/\d+/g)?.map(Number)).toEqual(unused)
})

test('docs/adr/README.md lists every decision with its title and status', () => {
  const index = textOf('docs/adr/README.md')
  const files = readdirSync(new URL('docs/adr/', root)).filter((file) => /^\d/.test(file))
  const missing = files.filter((file) => {
    const header = /^# (\d+)\. (.+)\n\nStatus: (.+) · Date: \d{4}-\d\d-\d\d · Topics: \w/
    const [, number, title, status] = header.exec(textOf(`docs/adr/${file}`)) ?? []
    return !index.includes(`| ${number} | [${title}](${file}) | ${status} |`)
  })
  expect(missing).toEqual([])
})

test('every path that docs/develop/find.md names exists', () => {
  const named = textOf('docs/develop/find.md').matchAll(
    /`((?:packages|services|tests|scripts|deploy|openapi)\b[^`]*)`/g,
  )
  const paths = [...named].map(([, path = '']) => path)
  expect(paths.length).toBeGreaterThan(80)
  expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
})

/** Migrations that were applied and cannot be changed. One is already wrong: the ledger is decision 40. */
const citing = [
  'services/backup/migrations/0003_counted.expand.sql',
  'services/banking/migrations/0001_ledger.sql',
  'services/banking/migrations/0004_partitions.sql',
]

test('no new migration cites a decision by number, since numbers may be reassigned', () => {
  const files = ['services', 'packages'].flatMap((top) =>
    readdirSync(new URL(`${top}/`, root), { recursive: true, encoding: 'utf8' }).map((file) => `${top}/${file}`),
  )
  const migrations = files.filter((file) => /\/migrations\/.*\.sql$/.test(file) && !file.includes('node_modules'))
  expect(migrations.length).toBeGreaterThan(50)
  expect(migrations.filter((file) => /\badr\b/i.test(textOf(file))).sort()).toEqual(citing)
})
