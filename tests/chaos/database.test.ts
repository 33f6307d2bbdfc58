import { setTimeout as sleep } from 'node:timers/promises'
import { client } from '@icosa/client'
import { sql } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { notes } from '../../packages/testing/src/example/notes/contract.ts'
import { openCell } from './processes.ts'

test('nodes survive the loss of database connections: requests fail briefly, and jobs are woken again', async () => {
  await using cell = await openCell()
  const node = await cell.start({ api: true, worker: true })
  const { createNote, publishNote, getNote } = client(notes, {
    baseUrl: `${node.url}/example`,
    headers: { 'x-api-key': cell.key },
  })
  const write = () => createNote({ body: { title: 'kept', text: '' } })
  const failures: number[] = []
  let writing = true
  const writers = Array.from({ length: 8 }, async () => {
    while (writing) await write().catch(({ status }) => failures.push(status))
  })
  const cut = sql`select count(pg_terminate_backend(pid))::int as cut from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`
  for (let time = 0; time < 5; time++) {
    await sleep(300)
    await expect.poll(async () => (await cell.database.one<{ cut: number }>(cut)).cut).toBeGreaterThan(0)
  }
  writing = false
  await Promise.all(writers)
  console.log(`${failures.length} requests failed while connections were cut, with ${[...new Set(failures)]}`)
  expect(node.child.exitCode).toBeNull()
  for (const status of failures) expect(status).toBe(503)

  const publishedIn = async () => {
    const { body: note } = await write()
    const began = performance.now()
    await publishNote({ params: { noteId: note.id } })
    while ((await getNote({ params: { noteId: note.id } })).body.publishedTimes === 0) await sleep(10)
    return performance.now() - began
  }
  await expect.poll(publishedIn, { message: 'woken again, not only polled' }).toBeLessThan(1_500)
})
