import { existsSync } from 'node:fs'
import {
  itemsField,
  type Operation,
  panelKinds,
  resolveServicePanels,
  resolveViews,
  viewedOperations,
} from '@icosa/contract'
import { contractsOf, type Service } from '@icosa/kernel'
import { describe, expect, test } from 'vitest'
import { allServices } from '../../apps/server/src/services.ts'

const services = await allServices()
const operationsOf = (service: Service) => service.apis.flatMap((api) => viewedOperations(contractsOf(api)))

/** Lists of the service's own contracts: GET with a collection, at a path that is not an item's. */
function listsOf(service: Service): string[] {
  const own = service.apis.flatMap(({ resources }) =>
    viewedOperations(Object.fromEntries(Object.entries(resources).map(([name, { contract }]) => [name, contract]))),
  )
  return own.filter(({ id, operation }) => isList(id, operation)).map(({ id }) => id)
}

const isList = (id: string, operation: Operation) =>
  operation.method === 'GET' &&
  itemsField(operation) !== undefined &&
  (!/\}\/?$/.test(operation.path) || /(^|_)list/i.test(id))

describe.each(services.map((service) => [service.name, service] as const))('%s', (_, service) => {
  const { group = undefined, resources = {}, others = [] } = service.views ?? {}

  test('has a view for every list', () => {
    expect(group).toBeDefined()
    const described = [...Object.keys(resources), ...others]
    expect(listsOf(service).filter((id) => !described.includes(id))).toEqual([])
    expect(others.filter((id) => !operationsOf(service).some((operation) => operation.id === id))).toEqual([])
  })

  test('has views and panels that name existing operations and fields', () => {
    if (!service.views) return
    expect(resolveViews(service.views, operationsOf(service))).toBeDefined()
    expect(resolveServicePanels(service.views, operationsOf(service))).toBeDefined()
  })
})

test.each(Object.keys(panelKinds))('the console draws panels of the kind %s', (kind) => {
  expect(existsSync(new URL(`../../apps/console/src/panels/${kind}.tsx`, import.meta.url))).toBe(true)
})
