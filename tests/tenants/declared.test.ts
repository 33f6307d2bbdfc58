import { expect, test } from 'vitest'
import { homeService } from '../../apps/server/src/moves/tables.ts'
import { allServices, loadModules } from '../../apps/server/src/services.ts'

test('a service with something outside of rows and blobs does not declare that rows are all', async () => {
  const moves = new Map((await allServices()).map((service) => [service.name, service.moves]))
  expect([...moves].filter(([, how]) => how === 'staysHome').map(([name]) => name)).toEqual([homeService])
  const outside: string[] = []
  for (const { name, module } of await loadModules()) {
    const { tenancy } = (await module.tenancy?.()) ?? {}
    if (tenancy?.release) outside.push(name)
  }
  expect(outside.length).toBeGreaterThan(2)
  expect(outside.filter((name) => moves.get(name) === 'withRows')).toEqual([
    'podcast-directory', // thumbnails, which all cells read in the home cell's store
  ])
})
