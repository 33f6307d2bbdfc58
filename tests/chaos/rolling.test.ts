import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, prepareDatabase, sql, systemClock } from '@icosa/kernel'
import { createTestDatabase, example, recordEndedJobs } from '@icosa/testing'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { openCell, type Process } from './processes.ts'

const drainMs = 1_500

/** Clients keep connections alive and, like a load balancer, send nothing to a node that is not ready. */
test('a node that is asked to stop under load fails no request', async () => {
  await using cell = await openCell()
  const nodes: Process[] = [await cell.start({ api: true, drainMs }), await cell.start({ api: true, drainMs })]
  const ready = new Set(nodes)
  const agent = new Agent({ connections: 32 })
  const failures: string[] = []
  let answered = 0
  let loading = true

  const balancer = (async () => {
    while (loading) {
      for (const node of new Set([...nodes, ...ready])) {
        const status = await request(`${node.url}/readyz`).then(
          (answer) => answer.body.dump().then(() => answer.statusCode),
          () => 503,
        )
        if (status === 200) ready.add(node)
        else ready.delete(node)
      }
      await sleep(100)
    }
  })()
  const clients = Array.from({ length: 32 }, async (_, number) => {
    while (loading) {
      const node = [...ready][number % ready.size] ?? nodes[0]
      const { statusCode, body } = await request(`${node?.url}/example/notes`, {
        dispatcher: agent,
        headers: { 'x-api-key': cell.key },
      }).catch((error: Error) => ({ statusCode: error.message, body: undefined }))
      await body?.dump()
      if (statusCode === 200) answered++
      else failures.push(String(statusCode))
    }
  })

  for (let restart = 0; restart < 2; restart++) {
    await sleep(1_000)
    const leaving = nodes.shift() as Process
    const exit = once(leaving.child, 'exit')
    leaving.child.kill('SIGTERM')
    await exit
    nodes.push(await cell.start({ api: true, drainMs }))
  }
  await sleep(500)
  loading = false
  await Promise.all([...clients, balancer])
  await agent.close()
  console.log(`${answered} requests answered through 2 restarts, ${failures.length} failed`)
  expect(failures).toEqual([])
  expect(answered).toBeGreaterThan(500)
})

test('a schedule fires once with two API nodes and two workers', async () => {
  await using cell = await openCell()
  const { database } = cell
  const endedJobs = await recordEndedJobs(database)
  const due = new Date(systemClock.now().getTime() + 1_500)
  const payload = JSON.stringify({ job: 'noSuchJob', tenant: 'ada', input: {} })
  await database.run(sql`insert into icosa.schedules (name, queue, payload, every_ms, next_at)
    values ('hourly', 'example', ${payload}, 3600000, ${due})`)
  await Promise.all([
    cell.start({ worker: true }),
    cell.start({ worker: true }),
    cell.start({ api: true }),
    cell.start({ api: true }),
  ])
  await expect.poll(() => systemClock.now().getTime()).toBeGreaterThan(due.getTime())
  await sleep(2_000) // long enough for a second worker to fire it, too
  expect(await endedJobs()).toHaveLength(1)
  const { next } = await database.one<{ next: Date }>(sql`
    select next_at as next from icosa.schedules where name = 'hourly'`)
  expect(next.getTime()).toBe(due.getTime() + 3_600_000)
})

test('four nodes that migrate concurrently apply every migration once', async () => {
  await using testDatabase = await createTestDatabase([])
  const databases = Array.from({ length: 4 }, () =>
    openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} }),
  )
  const applied: string[] = []
  await Promise.all(
    databases.map((database) =>
      prepareDatabase(database, [example], { onApplied: ({ owner, name }) => void applied.push(`${owner}/${name}`) }),
    ),
  )
  expect(applied).toEqual(['example/0001_notes.sql'])
  await Promise.all(databases.map((database) => database.close()))
})
