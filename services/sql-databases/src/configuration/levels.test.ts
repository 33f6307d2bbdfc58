import { expect, test } from 'vitest'
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
