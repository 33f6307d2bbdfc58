import { expect, test } from 'vitest'
import { withPlatform } from '../node.ts'
import { allServices } from '../services.ts'
import { routingOf } from '../tenants/routing.ts'
import { rulesIn } from './rules.ts'

test.each(['none', 'fn.example.com'])('generated rules are those of a node with the domain %s', async (domain) => {
  const env = { ICOSA_FUNCTIONS_DOMAIN: domain }
  const services = await allServices({ baseUrl: 'https://icosa.example.com', region: 'eu-1' }, env)
  expect(await rulesIn(env)).toEqual(routingOf(withPlatform(services, 'system')))
})

test('a domain that nodes refuse is refused', async () => {
  await expect(rulesIn({ ICOSA_FUNCTIONS_DOMAIN: 'no domain' })).rejects.toThrow('ICOSA_FUNCTIONS_DOMAIN')
})
