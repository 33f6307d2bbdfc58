import { expect, test } from 'vitest'
import { accountOf } from './arn.ts'
import { arnOfResource, arnsNamed, canonicalName, isResourceName, namesOf, registryKeys } from './resource-name.ts'

const owner = { tenant: 'dev', region: 'us-east-1' }
const account = accountOf('dev')
const resources = [
  {
    service: 'sql-databases',
    id: '/subscriptions/main/resourceGroups/Shop/providers/Vendor.Sql/servers/eu/databases/A',
  },
  { service: 'functions', id: 'projects/p/locations/l/functions/Hello' },
  { service: 'event-detection', id: `arn:aws:iotevents:us-east-1:${account}:input/Motor` },
]
const spellingsOf = (resource: (typeof resources)[number]) => {
  const arn = arnOfResource(owner, resource)
  const path = resource.id.replace(/^\//, '')
  const spellings = [
    arn,
    arn.replace(account, 'dev'),
    arn.replace('us-east-1', ''),
    arn.toUpperCase().replace('ARN', 'arn'),
  ]
  return resource.id.startsWith('arn:') ? spellings : [...spellings, path, `/${path}`, path.toUpperCase()]
}

test.each(resources)('every spelling of $id names it and no other resource', (resource) => {
  for (const spelling of spellingsOf(resource)) {
    const name = canonicalName(owner, spelling) ?? ''
    expect(
      resources.filter((candidate) => namesOf(owner, candidate).includes(name)),
      spelling,
    ).toEqual([resource])
    expect(registryKeys(name), spelling).toContain(resource.id.toLowerCase())
    expect(
      arnsNamed(
        owner,
        name,
        resources.map(({ service }) => service),
      ),
      spelling,
    ).toContain(arnOfResource(owner, resource).toLowerCase())
  }
})

test('an ARN of another service, account or region names nothing of the owner', () => {
  const [database = { service: '', id: '' }] = resources
  const arn = arnOfResource(owner, database)
  const other = canonicalName(owner, arn.replace('sql-databases', 'functions')) ?? ''
  expect(namesOf(owner, database)).not.toContain(other)
  expect(canonicalName(owner, arn.replace(account, accountOf('acme')))).toBeUndefined()
  expect(canonicalName(owner, arn.replace('us-east-1', 'eu-west-1'))).toBeUndefined()
})

test.each(['', '/', 'orders', '/orders', 'arn:', 'arn:aws:backup', 'a//b', '//a/b', 'a/b/', '*', 'arn:aws:x:*:*:y'])(
  '%j is not a resource name',
  (text) => {
    expect(isResourceName(text)).toBe(false)
    expect(canonicalName(owner, text)).toBeUndefined()
  },
)
