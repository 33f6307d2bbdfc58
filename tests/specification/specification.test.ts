import { readFileSync } from 'node:fs'
import { plainPath, type Replies } from '@icosa/contract'
import { operationsOfService } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { allServices, unbuilt } from '../../apps/server/src/services.ts'
import { type SpecifiedOperation, specifiedOperations } from './table.ts'

const services = await allServices()
const specified = specifiedOperations()
const shown = ({ method, path, success }: Omit<SpecifiedOperation, 'service' | 'name'>) =>
  `${method} ${path} -> ${success.join(' ')}`

test('the table holds 376 operations of 20 services, none twice', () => {
  expect(specified).toHaveLength(376)
  expect(new Set(specified.map(({ service }) => service)).size).toBe(20)
  expect(new Set(specified.map((row) => `${row.service} ${row.method} ${row.path}`)).size).toBe(376)
})

test('every service is built or answers that it is not', () => {
  const names = [...services.map(({ name }) => name), ...unbuilt]
  expect(names.toSorted()).toEqual([...new Set(specified.map(({ name }) => name))].toSorted())
})

test.each(services)('$name serves what the specification shows, and marks what it adds', (service) => {
  const rows = specified.filter((row) => row.service === service.letter)
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set([service.name]))

  const own = operationsOfService(service).filter(({ operation }) => !operation.extension)
  const specifiedIn = (replies: Replies) =>
    Object.entries(replies).flatMap(([status, schema]) =>
      schema && 'x-icosa-extension' in schema ? [] : Number(status),
    )
  const contracts = own.map(({ operation: { method, path, replies } }) =>
    shown({ method, path: plainPath(path), success: specifiedIn(replies) }),
  )
  expect(contracts.sort()).toEqual(rows.map(shown).sort())
})

test('README counts what is built', () => {
  const built = new Set(services.map(({ letter }) => letter))
  const groups = [...Map.groupBy(specified, ({ service }) => service)]
  const lines = groups.map(([letter, rows]) => {
    const count = built.has(letter) ? rows.length : 0
    return `| ${letter} | ${rows[0]?.name} | ${count} of ${rows.length} |`
  })
  const total = specified.filter(({ service }) => built.has(service)).length
  lines.push(`| | all | ${total} of ${specified.length} |`)
  console.log(lines.join('\n'))
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  for (const line of lines) expect(readme).toContain(line)
})
