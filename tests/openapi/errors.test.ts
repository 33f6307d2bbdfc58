import { Failure, type Kind } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'

const kinds: Readonly<Record<Kind, true>> = {
  ...{ invalid: true, unauthenticated: true, forbidden: true, notFound: true, wrongMethod: true, alreadyExists: true },
  ...{ conflict: true, preconditionFailed: true, tooLarge: true, lengthRequired: true, unsupportedMediaType: true },
  ...{
    misdirected: true,
    rateLimited: true,
    limitReached: true,
    notImplemented: true,
    unavailable: true,
    internal: true,
  },
}

test('the contract of every API lists the statuses of all failure kinds', async () => {
  const apis = (await allServices()).flatMap(({ name, apis }) => apis.map((api) => ({ name, ...api })))
  expect(apis.length).toBeGreaterThan(10)
  for (const { name, dialect, resources } of apis) {
    const operations = Object.values(resources).flatMap(({ contract }) => Object.values(contract))
    const listed = new Set(operations.flatMap(({ dialect: { errorStatuses = [] } }) => errorStatuses))
    const incoming = { id: '1', method: 'GET', url: new URL(`http://localhost/${name}`), headers: {} }
    for (const kind of Object.keys(kinds) as Kind[]) {
      const { status } = dialect.failure(new Failure(kind, 'It failed.'), incoming as never)
      expect(listed, `${name}: ${kind} is ${status}`).toContain(status)
    }
  }
})
