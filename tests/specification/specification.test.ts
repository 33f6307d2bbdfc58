import { readFileSync } from 'node:fs'
import { openapi, plainPath, type Replies } from '@icosa/contract'
import { contractsOf, operationsOfService } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { allServices, unbuilt } from '../../apps/server/src/services.ts'

const services = await allServices()
const specified = specifiedOperations()
const shown = ({ method, path, success }: Omit<SpecifiedOperation, 'service' | 'name'>) =>
  `${method} ${path} -> ${success.join(' ')}`

test('the table lists 376 distinct operations of 20 services', () => {
  expect(specified).toHaveLength(376)
  expect(new Set(specified.map(({ service }) => service)).size).toBe(20)
  expect(new Set(specified.map((row) => `${row.service} ${row.method} ${row.path}`)).size).toBe(376)
})

test('every service is built or listed as unbuilt', () => {
  const names = [...services.map(({ name }) => name), ...unbuilt]
  expect(names.toSorted()).toEqual([...new Set(specified.map(({ name }) => name))].toSorted())
})

test.each(services)('$name serves the specified operations and marks its extensions', (service) => {
  const rows = specified.filter((row) => row.service === service.letter)
  expect(new Set(rows.map(({ name }) => name))).toEqual(new Set([service.name]))

  const own = operationsOfService(service).filter(({ operation }) => !operation.extension)
  // 304 is HTTP's answer to a conditional request: the table lists only unconditional replies.
  const specifiedIn = (replies: Replies) =>
    Object.entries(replies).flatMap(([status, schema]) =>
      status === '304' || (schema && 'x-icosa-extension' in schema) ? [] : Number(status),
    )
  const contracts = own.map(({ operation: { method, path, specified, replies } }) =>
    shown({ method, path: specified ?? plainPath(path), success: specifiedIn(replies) }),
  )
  expect(contracts.sort()).toEqual(rows.map(shown).sort())
})

/** The versions that the specification names. */
const versions: Readonly<Record<string, string>> = {
  C: '2019-11-01-preview',
  D: '2019-12-01-preview',
  H: '2018-10-31-preview',
  Q: '2017-10-01-preview',
  J: '2016-03-01',
  M: '2018-09-05',
  R: '2017-11-27',
  T: '2018-10-23',
}

test.each(services.filter(({ letter = '' }) => letter in versions))(
  '$name is described in the version of its specification',
  ({ letter = '', name, title, apis: [api] }) => {
    const document = openapi({ name, title, contracts: contractsOf(api) })
    const version = versions[letter]
    expect(document.info.version).toBe(version)
    const paths = Object.entries(document.paths).filter(([path]) => path.includes('/providers/'))
    const operations = paths.flatMap(([, methods]) => Object.values(methods) as { parameters: object[] }[])
    for (const { parameters, ...operation } of operations) {
      expect(parameters).toContainEqual(
        expect.objectContaining({
          name: 'api-version',
          required: true,
          schema: expect.objectContaining({ default: version }),
        }),
      )
      expect(operation).toHaveProperty('responses.default')
    }
  },
)

test('README states how many operations are built', () => {
  const built = new Set(services.map(({ letter }) => letter))
  const groups = [...Map.groupBy(specified, ({ service }) => service)]
  const lines = groups.map(([letter, rows]) => {
    const count = built.has(letter) ? rows.length : 0
    const name = rows[0]?.name
    return { start: `| ${letter} | [${name}](services/${name}/README.md) |`, end: `| ${count} of ${rows.length} |` }
  })
  const total = specified.filter(({ service }) => built.has(service)).length
  lines.push({ start: '| | all |', end: `| ${total} of ${specified.length} |` })
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').split('\n')
  const missing = lines.filter(({ start, end }) => !readme.some((line) => line.startsWith(start) && line.endsWith(end)))
  expect(missing).toEqual([])
})

/** One operation of the specification. */
interface SpecifiedOperation {
  readonly service: string
  readonly name: string
  readonly method: string
  readonly path: string
  readonly success: readonly number[]
}

/** The 376 operations of the specification, from our own table. */
function specifiedOperations(): SpecifiedOperation[] {
  const lines = readFileSync(new URL('./operations.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  return lines.map((line) => {
    const [service = '', name = '', method = '', path = '', success = ''] = line.split('\t')
    return { service, name, method, path, success: success.split(' ').map(Number) }
  })
}
