import { readFileSync } from 'node:fs'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import * as contracts from '../contract.ts'
import { banking } from '../index.ts'
import { unbuiltPaths } from './operations.ts'

/** Without parameter names. */
const plain = (path: string) => path.replace(/\{[^}]*\}/g, '{}')
const built = Object.values(contracts).flatMap((contract) =>
  Object.values(contract).map(({ method, path }) => `${method} ${plain(path)}`),
)
const unbuilt = Object.entries(unbuiltPaths).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => `${method} ${path}`),
)

test('operations listed as unsupported are not in the contracts', () => {
  const both = unbuilt.filter((operation) => built.includes(plain(operation)))
  expect(both).toEqual([])
  expect(new Set(unbuilt).size).toBe(unbuilt.length)
})

test('the README states the number of supported operations', () => {
  const described = 429
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`${described - unbuilt.length} of the ${described} operations`)
})

test('unsupported operations return 501 with their name, in both spellings; unknown paths return 404', async () => {
  await using app = await startTestApp(banking())
  const headers = { 'x-vendor-client-authentication': await app.key('bank') }
  const call = async (method: string, path: string) => {
    const response = await fetch(`${app.url}/banking${path}`, { method, headers })
    const {
      Error: [line],
    } = (await response.json()) as { Error: [{ error_description: string }] }
    return [response.status, line.error_description] as const
  }
  for (const operation of unbuilt.filter((_, nth) => nth % 10 === 0)) {
    const [method = '', path = ''] = operation.split(' ')
    expect(await call(method, path.replace(/\{[^}]*\}/g, '1')), operation).toEqual([
      501,
      expect.stringContaining(`${operation} is not supported`),
    ])
  }
  expect((await call('GET', '/v1/user/1/transferwise-currency'))[0]).toBe(501)
  expect((await call('GET', '/user/1/nothing'))[0]).toBe(404)
  expect((await call('GET', '/user/999/monetary-account'))[0]).toBe(404)
})
