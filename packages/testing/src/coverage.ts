import { paramNames } from '@icosa/contract'
import { Engine, operationsOfApi, type Service, type ServiceOperation, sealedColumnsOf } from '@icosa/kernel'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './app.ts'
import { type Known, malformedRequest, validRequest } from './arbitrary.ts'
import { writeExamples } from './examples/examples.ts'
import { isAction, type ListedFields, unlisted } from './fields/listed.ts'
import { fieldsNotReadBack } from './fields/read-back.ts'
import { anyRequest, ask, credentialsFor, type Seed } from './requests.ts'
import { sized } from './size.ts'
import { strays } from './strays.ts'

export interface CoverageOptions {
  /** Creates rows of one tenant, which other tenants then try to access. */
  readonly seed?: Seed
  /**
   * Operations that create a row under a name that callers choose: another tenant with the same name creates its own.
   */
  readonly creating?: readonly string[]
  /** Operations whose API declares no error for a resource that does not exist: it is an invalid request. */
  readonly withoutNotFound?: readonly string[]
  readonly fields?: ListedFields
  /** Operations that share one contract: only the first match is tested with generated requests. */
  readonly alike?: readonly RegExp[]
  /** Services whose tables it reads. */
  readonly beside?: readonly Service[]
  /** Permissions of its callers, if all of a tenant are not enough. */
  readonly permissions?: readonly string[]
  /** Removes data outside the database. */
  readonly cleanUp?: (app: TestApp) => Promise<void>
}

const unknownName = 'fieldOfNoContract'
const generatedCases = sized(40, 200)

/**
 * Tests for every operation of a service: authorization, refusal of invalid input, and replies that match the
 * contract. Cases are deterministic, so that a failure is due to the change; `SEED=$RANDOM npx vitest run coverage`
 * explores.
 */
export function coverService(
  service: Service,
  {
    seed = async () => ({}),
    creating = [],
    withoutNotFound = [],
    fields = {},
    alike = [],
    beside = [],
    permissions: granted,
    cleanUp = async () => {},
  }: CoverageOptions = {},
): void {
  const { EXAMPLES: folder } = process.env
  if (folder) {
    const options = { seed, cleanUp, beside, permissions: granted }
    test('writes examples', () => writeExamples(service, folder, options), 1_800_000)
    return
  }
  fc.configureGlobal({ seed: Number(process.env.SEED ?? 376) })
  const apis = service.apis.map((api) => ({ api, title: [service.name, api.name].filter(Boolean).join(' ') }))
  let app: TestApp

  beforeAll(async () => {
    app = await startTestApp({ services: [service, ...beside] })
  })
  afterAll(async () => {
    await cleanUp(app)
    await app[Symbol.asyncDispose]()
  })

  describe.each(apis)('$title', ({ api }) => {
    const operations = operationsOfApi(service, api)
    const isOpen = ({ operation }: ServiceOperation) => api.dialect.authentication.kind === 'none' || operation.open
    const callerOf = (tenant: string, permissions = granted) => credentialsFor(app, service, tenant, permissions, api)
    const owner = () => callerOf('owner')
    const isRepeated = ({ id }: ServiceOperation) =>
      alike.some((pattern) => pattern.test(id) && operations.find((operation) => pattern.test(operation.id))?.id !== id)
    let known: Known = {}

    beforeAll(async () => {
      await app.clock.move({ reset: true }) // tests of another API may have moved it
      known = (await seed(await credentialsFor(app, service, 'owner'), app)) ?? {}
    })

    test('every path parameter has a row to test it with', () => {
      const missing = operations.flatMap(({ id, operation }) =>
        paramNames(operation.path)
          .filter((name) => !(name in known))
          .map((name) => `${id} ${name}`),
      )
      expect(missing, 'pass a seed to coverService that creates one').toEqual([])
    })

    describe.each(operations)('$id', (operation: ServiceOperation) => {
      test('refuses a caller without credentials', async () => {
        if (isOpen(operation)) return
        const { baseUrl } = await owner()
        const answer = await ask(operation, { baseUrl }, anyRequest(operation, known))
        expect(answer).toMatchObject({ status: expect.toBeOneOf([401, 403]), wrong: [] })
      })

      test('refuses a credential without its permission, and names it', async () => {
        if (isOpen(operation)) return
        if (operation.handler instanceof Engine) return // its protocol has its own scopes
        const target = await callerOf('owner', ['nothing:*'])
        const answer = await ask(operation, target, anyRequest(operation, known))
        expect(answer).toMatchObject({ status: 403, wrong: [] })
        if (operation.operation.method !== 'HEAD') expect(JSON.stringify(answer.body)).toContain(operation.permission)
      })

      test('hides the rows of one tenant from another', async () => {
        if (paramNames(operation.operation.path).length === 0 || operation.operation.open) return
        if (creating.includes(operation.id)) return
        const otherCaller = await callerOf('stranger')
        const [request] = fc.sample(validRequest(operation.operation, known), { numRuns: 1, seed: 1 })
        const answer = await ask(operation, otherCaller, { ...request, params: known })
        const isInvalid = withoutNotFound.includes(operation.id)
        expect(answer).toMatchObject({ status: expect.toBeOneOf(isInvalid ? [400] : [403, 404]), wrong: [] })
        if (isInvalid) expect(JSON.stringify(answer.body)).toMatch(/was not found/)
      })

      test('refuses malformed input', async () => {
        const requests = malformedRequest(operation.operation, known)
        if (!requests || isRepeated(operation)) return
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

      test('refuses an unknown field, and names it', async () => {
        const { body } = operation.operation
        if (!body || !('properties' in body) || 'additionalProperties' in body) return
        if (operation.handler instanceof Engine) return // its protocol ignores unknown fields (RFC 6749, 3.1)
        const [request] = fc.sample(validRequest(operation.operation, known), { numRuns: 1, seed: 1 })
        const answer = await ask(operation, await owner(), {
          ...request,
          params: known,
          body: { ...(request?.body as object), [unknownName]: 1 },
        })
        expect(answer).toMatchObject({ status: 400, wrong: [] })
        expect(JSON.stringify(answer.body)).toContain(unknownName)
      })

      test(`keeps its contract over ${generatedCases} generated cases`, async () => {
        if (isRepeated(operation)) return
        const target = await owner()
        await fc.assert(
          fc.asyncProperty(validRequest(operation.operation, known), async (parts) => {
            const answer = await ask(operation, target, parts)
            // 501 names an unsupported feature.
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

  test('every writable field is read back, or listed with its effect', async () => {
    await using own = await startTestApp({ services: [service, ...beside] }) // where the names of the seed are not taken
    const listed = (operation: string) => isAction(operation, fields)
    const unread = await fieldsNotReadBack(own, service, seed, { listed, alike })
    const ids = service.apis.flatMap((api) => operationsOfApi(service, api)).map(({ id }) => id)
    await cleanUp(own)
    expect(unlisted(unread, fields, ids, expect.getState().testPath as string)).toEqual({})
  }, 600_000) // a few thousand requests if a service has hundreds of fields

  test('every secret is stored in a column that the manifest lists', async () => {
    const listed = sealedColumnsOf([service])
    expect(await strays(app.platform.database, listed), 'add it to `sealed` of the service').toEqual([])
  })
}
