import { paramNames } from '@icosa/contract'
import { Engine, operationsOfService, type ServiceOperation, sealedColumnsOf } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { dropPhysical } from '@icosa/sql-databases/testing/app'
import {
  anyRequest,
  ask,
  credentialsFor,
  example,
  type Known,
  malformedRequest,
  startTestApp,
  type TestApp,
  testServerUrl,
  validRequest,
} from '@icosa/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultServiceSettings, servicesWith } from '../../apps/server/src/services.ts'
import { strays } from '../sealed/strays.ts'
import { seeds } from './seeds.ts'

// Written once; holds for every operation of every service that is added later.
const all = [...servicesWith({ ...defaultServiceSettings, sqlUrl: testServerUrl }), platform, example]
const generatedCases = 200
// The same cases every time, so that a red run is about the change; `SEED=$RANDOM npx vitest run tests/coverage` explores.
fc.configureGlobal({ seed: Number(process.env.SEED ?? 376) })
let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ services: all })
})
afterAll(async () => {
  await dropPhysical(app.platform.database) // databases that were really made
  await app[Symbol.asyncDispose]()
})

describe.each(all)('$name', (service) => {
  const operations = operationsOfService(service)
  const owner = () => credentialsFor(app, service, 'owner')
  let known: Known = {}

  beforeAll(async () => {
    await app.clock.move({ reset: true }) // another service's cases may have left it anywhere
    known = (await seeds[service.name]?.(await owner(), app)) ?? {}
  })

  test('every path parameter has a row to try it on', () => {
    const missing = operations.flatMap(({ id, operation }) =>
      paramNames(operation.path)
        .filter((name) => !(name in known))
        .map((name) => `${id} ${name}`),
    )
    expect(missing, 'add a seed for the service in tests/coverage/seeds.ts').toEqual([])
  })

  describe.each(operations)('$id', (operation: ServiceOperation) => {
    test('refuses a caller without credentials', async () => {
      if (service.dialect.authentication.kind === 'none' || operation.operation.open) return
      const { baseUrl } = await owner()
      const answer = await ask(operation, { baseUrl }, anyRequest(operation, known))
      expect(answer).toMatchObject({ status: expect.toBeOneOf([401, 403]), wrong: [] })
    })

    test('refuses a credential without its permission, and names it', async () => {
      if (service.dialect.authentication.kind === 'none' || operation.operation.open) return
      if (operation.handler instanceof Engine) return // its protocol has scopes of its own
      const target = await credentialsFor(app, service, 'owner', ['nothing:*'])
      const answer = await ask(operation, target, anyRequest(operation, known))
      expect(answer).toMatchObject({ status: 403, wrong: [] })
      if (operation.operation.method !== 'HEAD') expect(JSON.stringify(answer.body)).toContain(operation.permission)
    })

    test('keeps the rows of one tenant from another', async () => {
      if (paramNames(operation.operation.path).length === 0 || operation.operation.open) return
      const stranger = await credentialsFor(app, service, 'stranger')
      const [request] = fc.sample(validRequest(operation.operation, known), { numRuns: 1, seed: 1 })
      const answer = await ask(operation, stranger, { ...request, params: known })
      expect(answer).toMatchObject({ status: expect.toBeOneOf([403, 404]), wrong: [] })
    })

    test('refuses malformed input', async () => {
      const requests = malformedRequest(operation.operation, known)
      if (!requests) return
      const target = await owner()
      await fc.assert(
        fc.asyncProperty(requests, async (parts) => {
          const answer = await ask(operation, target, parts)
          expect(answer).toMatchObject({
            status: expect.toSatisfy((status: number) => status >= 400 && status < 500),
            wrong: [],
          })
        }),
        { numRuns: 25 },
      )
    })

    test(`keeps its contract over ${generatedCases} generated cases`, async () => {
      const target = await owner()
      await fc.assert(
        fc.asyncProperty(validRequest(operation.operation, known), async (parts) => {
          const answer = await ask(operation, target, parts)
          // 501 says by name what is not built.
          expect(answer).toMatchObject({
            status: expect.toSatisfy((status: number) => status < 500 || status === 501),
            wrong: [],
          })
        }),
        { numRuns: generatedCases },
      )
    })
  })
})

test('whatever was written, every secret lies in a column that a manifest lists', async () => {
  expect(await strays(app.platform.database, sealedColumnsOf(all)), 'add it to `sealed` of the service').toEqual([])
})
