import { sql } from '@icosa/kernel'
import { platform } from '@icosa/platform'
import { operatorWith } from '@icosa/platform/operator'
import { operatorContract } from '@icosa/platform/operator/contract'
import { startProxy, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { openDirectory } from './directory.ts'
import { directoryFor } from './overview.ts'
import { addTestCells, createTestDirectory } from './testing/directory.ts'

test('operators see cells and moves, without passwords; others are refused', async () => {
  await using created = await createTestDirectory()
  await addTestCells(created.database, 'eu-1', 'eu-2')
  await created.database.run(sql`insert into directory.tenants (id, tag, cell) values ('ada', 'abcdefghijk2', 'eu-1')`)
  await created.database.run(sql`
    insert into directory.moves (tenant, source, target, state, detail) values ('ada', 'eu-1', 'eu-2', 'following', 'x')`)
  await using proxy = await startProxy(created.url)
  const directory = openDirectory({ url: proxy.url, onError: () => {} })
  await using stack = new AsyncDisposableStack()
  stack.defer(() => directory.close())
  const service = operatorWith({ directory: directoryFor(directory) })
  await using app = await startTestApp({ services: [platform, service] })
  const as = async (permission: string) =>
    app.client(operatorContract, { headers: { 'X-Api-Key': await app.key('ops', [permission]) } }, service)
  const operator = await as('operator:*')

  const { cells } = (await operator.listCells({})).body
  expect(cells).toEqual([
    {
      ...{ name: 'eu-1', url: 'https://eu-1.example.com', state: 'active', isHome: true },
      ...{ tenants: 1, capacity: 100, labels: ['region=eu'] },
    },
    expect.objectContaining({ name: 'eu-2', isHome: false, tenants: 0 }),
  ])
  expect((await operator.listMoves({})).body.moves).toMatchObject([
    { tenant: 'ada', source: 'eu-1', target: 'eu-2', state: 'following' },
  ])
  await expect((await as('*')).listCells({})).rejects.toMatchObject({ status: 403 })
  proxy.become('refusing')
  await expect(operator.listMoves({})).rejects.toMatchObject({ status: 503 })
})
