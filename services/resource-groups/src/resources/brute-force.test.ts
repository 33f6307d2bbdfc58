import type { ResourceEntry } from '@icosa/kernel'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ResourceQuery } from '../groups/contract.ts'
import { startGroups } from '../testing/app.ts'
import { fill } from '../testing/registry-store.ts'

const count = 3_000
const seed = 376

const keys = ['stage', 'Stage', 'team', 'a.b', '"', '\\', 'ключ', 'k 1']
const values = ['', '1', '2', 'x"y', '{"a":1}', '\\', 'é', 'null']
const types = ['Vendor.Sql/servers/databases', 'Vendor.App/stores', 'AWS::Backup::Vault', 'AWS::Rare::Thing']
const scopes = ['/subscriptions/S/resourceGroups/Web', '/subscriptions/s/resourceGroups/db', 'web']
const stackTags = ['aws:cloudformation:stack-id', 'aws:cloudformation:stack-name']

const tags = fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...values), { maxKeys: 4 })

/** The last type and one of the tags are rare. */
const entry = fc.record({
  type: fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...types.slice(0, 3)) }, fc.constant('AWS::Rare::Thing')),
  scope: fc.option(fc.constantFrom(...scopes), { nil: undefined }),
  tags: fc.oneof(
    { weight: 30, arbitrary: tags },
    fc.record({ [stackTags[0] as string]: fc.constant('web'), rare: fc.constant('1') }),
    fc.record({ [stackTags[1] as string]: fc.constant('arn:stack') }),
  ),
})

interface Criteria {
  readonly types: readonly string[] | undefined
  readonly filters?: readonly { readonly Key: string; readonly Values?: readonly string[] }[]
  readonly stack?: string
}

const anyCase = (text: string) => fc.mixedCase(fc.constant(text))
const requestedTypes = fc.option(
  fc.array(fc.oneof(...[...types, 'AWS::No::Thing'].map(anyCase)), { minLength: 1, maxLength: 3 }),
  { nil: undefined },
)
const criteria: fc.Arbitrary<Criteria> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      types: requestedTypes,
      filters: fc.array(
        fc.record(
          {
            Key: fc.constantFrom(...keys, 'rare', 'nowhere'),
            Values: fc.array(fc.constantFrom(...values, 'other'), { maxLength: 7 }),
          },
          { requiredKeys: ['Key'] },
        ),
        { maxLength: 4 },
      ),
    }),
  },
  fc.record({ types: requestedTypes, stack: fc.constantFrom(...scopes, 'WEB', 'arn:stack', 'nothing') }),
)

/** A reference implementation of queries for a single resource. */
function matches({ types, filters = [], stack }: Criteria, { type, scope, tags = {} }: ResourceEntry): boolean {
  if (types && !types.some((requested) => requested.toLowerCase() === type.toLowerCase())) return false
  if (stack !== undefined)
    return scope?.toLowerCase() === stack.toLowerCase() || stackTags.some((tag) => tags[tag] === stack)
  return filters.every(({ Key, Values = [] }) => {
    const value = tags[Key]
    return value !== undefined && (Values.length === 0 || Values.includes(value))
  })
}

function queryOf({ types, filters, stack }: Criteria): ResourceQuery {
  const typeFilter = types && { ResourceTypeFilters: types }
  return stack === undefined
    ? { Type: 'TAG_FILTERS_1_0', Query: JSON.stringify({ ...typeFilter, TagFilters: filters }) }
    : { Type: 'CLOUDFORMATION_STACK_1_0', Query: JSON.stringify({ ...typeFilter, StackIdentifier: stack }) }
}

test(`generated queries over ${count} resources return the same as a check of each resource`, {
  timeout: 120_000,
}, async () => {
  await using world = await startGroups()
  const acme = await world.caller()
  const entries = fc
    .sample(entry, { numRuns: count, seed })
    .map((sample, index): ResourceEntry => ({ ...sample, id: `/R/${(index * 7919) % count}`, name: `r${index}` }))
  await fill(world.app.platform.database, 'acme', entries)
  await fill(world.app.platform.database, 'other', entries)

  let total = 0
  await fc.assert(
    fc.asyncProperty(criteria, fc.integer({ min: 7, max: 50 }), async (query, MaxResults) => {
      const ids: string[] = []
      for (let NextToken: string | undefined; ; ) {
        const page = { ResourceQuery: queryOf(query), MaxResults, ...(NextToken && { NextToken }) }
        const { body } = await acme.SearchResources({ body: page })
        ids.push(...body.ResourceIdentifiers.map(({ ResourceArn }) => ResourceArn))
        NextToken = body.NextToken
        if (NextToken === undefined) break
      }
      const expected = entries.filter((entry) => matches(query, entry)).map(({ id }) => id)
      expect(ids.toSorted()).toEqual(expected.toSorted())
      total += ids.length
    }),
    { numRuns: 200, seed },
  )
  console.log(`200 generated queries returned ${total} correct results`)
  expect(total).toBeGreaterThan(1_000)
})
