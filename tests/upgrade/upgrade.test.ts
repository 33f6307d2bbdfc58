import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  createKey,
  openDatabase,
  prepareDatabase,
  type RunningNode,
  type Service,
  sql,
  startNode,
  systemClock,
} from '@icosa/kernel'
import { createTestDatabase, example, testNode } from '@icosa/testing'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { refuseOtherSchema } from '../../apps/server/src/schema.ts'

/** A later version of the example service, with these additional migrations. */
async function laterVersion(folder: string, migrations: Readonly<Record<string, string>>): Promise<Service> {
  await cp(example.migrations as URL, folder, { recursive: true })
  for (const [name, text] of Object.entries(migrations)) await writeFile(join(folder, name), text)
  return { ...example, migrations: pathToFileURL(`${folder}/`) }
}

const expand = { '0002_colour.expand.sql': `alter table notes add column colour text not null default 'white'` }
const contract = { '0003_no_colour.sql': 'alter table notes drop column colour' }

test('upgrade and rollback under load lose no request or job; after a contraction, older versions refuse to start', async () => {
  await using testDatabase = await createTestDatabase([example])
  const folder = await mkdtemp(join(tmpdir(), 'icosa-upgrade-'))
  const blobs = join(folder, 'blobs')
  const newer = await laterVersion(join(folder, 'newer'), expand)
  const newest = await laterVersion(join(folder, 'newest'), { ...expand, ...contract })
  const database = openDatabase({ url: testDatabase.url, maxConnections: 4, onError: () => {} })
  const { key } = await createKey(database, systemClock, { tenant: 'ada', name: 'upgrade', permissions: ['*'] })
  const start = async (version: Service) => {
    await refuseOtherSchema(database, [version]) // as `serve` and `worker` do
    const worker = { concurrency: 8, background: true }
    const node = await startNode({
      ...testNode([version], testDatabase.url, blobs),
      clock: 'system',
      worker,
      drainMs: 600,
    })
    ready.add(node)
    return node
  }
  const stop = async (node: RunningNode) => {
    const stopped = node.stop()
    await expect.poll(async () => (await request(`${node.url}/readyz`)).statusCode).toBe(503)
    ready.delete(node)
    await stopped
  }

  const ready = new Set<RunningNode>()
  const agent = new Agent({ connections: 16 })
  const failures: string[] = []
  let published = 0
  let loading = true
  const ask = async (path: string, body?: object) => {
    const node = [...ready][published % ready.size] as RunningNode
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const answer = await request(`${node.url}/example${path}`, {
      dispatcher: agent,
      method: 'POST',
      headers,
      body: body ? JSON.stringify(body) : null,
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} ${answer.statusCode} ${text}`)
    return JSON.parse(text) as { id: string }
  }
  const client = async () => {
    while (loading)
      try {
        const { id } = await ask('/notes', { title: 'A note', text: '' })
        await ask(`/notes/${id}/publish`)
        published++
      } catch (error) {
        failures.push((error as Error).message)
      }
  }

  let nodes = [await start(example), await start(example)]
  const clients = Array.from({ length: 6 }, client)
  const replace = async (version: Service) => {
    for (const old of nodes) {
      nodes = [...nodes.filter((node) => node !== old), await start(version)]
      await stop(old)
      await sleep(200)
    }
  }
  try {
    await expect(start(newer), 'a node does not start before the migration').rejects.toThrow('icosa migrate')
    await prepareDatabase(database, [newer])
    await replace(newer)
    const upgraded = published
    await replace(example)
    const rolledBack = published
    await replace(newer)
    loading = false
    await Promise.all(clients)
    const { done } = await database.one<{ done: number }>(sql`
      select count(*)::int as done from example.notes where published_times >= 1`)
    await expect
      .poll(
        async () =>
          (
            await database.one<{ left: number }>(sql`
        select count(*)::int as left from example.notes where published_times = 0`)
          ).left,
        { timeout: 20_000 },
      )
      .toBe(0)
    console.log(
      `${published} notes made and published while nodes were replaced (${upgraded} by the upgrade, ${rolledBack} by the rollback), ${failures.length} requests failed; ${done} jobs had ended at once, all in the end`,
    )
    expect(failures).toEqual([])
    expect(upgraded).toBeGreaterThan(20)
    expect(rolledBack).toBeGreaterThan(upgraded)

    await prepareDatabase(database, [newest])
    await expect(start(example)).rejects.toThrow('A newer version changed this database (example/0003_no_colour.sql)')
    await expect(start(newer)).rejects.toThrow('0003_no_colour.sql')
    await refuseOtherSchema(database, [newest])
  } finally {
    loading = false
    for (const node of nodes) await node.stop(0)
    await agent.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
})
