import { expect, test } from 'vitest'
import { readSku } from './levels.ts'

test('the size of a sku says its name once more: it is not shown, and another one is refused', () => {
  expect(readSku({ name: 'S1', size: 's1' }).sku).toEqual({
    name: 'Standard',
    tier: 'Standard',
    capacity: 20,
  })
  expect(() => readSku({ name: 'S1', size: 'S2' })).toThrow('The size of the sku does not match its name S1')
})

test('a serverless sku is refused by its name', () => {
  expect(() => readSku({ name: 'GP_S_Gen5_2' })).toThrow('The sku GP_S_Gen5_2 is not built. It is serverless.')
})
