import { expect, test } from 'vitest'
import { type DesiredConfiguration, updateDesired } from './desired.ts'
import { readSku } from './levels.ts'

test('the size of a sku must repeat its name, and is not returned', () => {
  expect(readSku({ name: 'S1', size: 's1' }).sku).toEqual({
    name: 'Standard',
    tier: 'Standard',
    capacity: 20,
  })
  expect(() => readSku({ name: 'S1', size: 'S2' })).toThrow('The size of the sku does not match its name S1')
})

test('rejects a serverless sku with its name', () => {
  expect(() => readSku({ name: 'GP_S_Gen5_2' })).toThrow('The sku GP_S_Gen5_2 is not supported. It is serverless.')
})

test('a database keeps its size at a larger level, so that the tool that read it can scale back', () => {
  const scope = { subscriptionId: 'main', resourceGroupName: 'shop', serverName: 'main' }
  const gigabytes = (config: DesiredConfiguration) => config.maxSizeBytes && config.maxSizeBytes / 1024 ** 3
  const before: DesiredConfiguration = {
    ...{ tags: {}, objective: 'S0', maxSizeBytes: null, maxConnections: null, pool: null, licenseType: null },
  }
  const to = (config: DesiredConfiguration, name: string) => updateDesired(config, { sku: { name } }, scope)
  const larger = to(before, 'GP_Gen5_2')
  expect(gigabytes(larger)).toBe(250)
  expect(gigabytes(to(larger, 'S1'))).toBe(250)
  expect(gigabytes(to(before, 'Basic')), 'the limit of a smaller level').toBeNull()
})
