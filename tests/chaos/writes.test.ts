import { once } from 'node:events'
import { client } from '@icosa/client'
import { sql } from '@icosa/kernel'
import { sized } from '@icosa/testing'
import { expect, test } from 'vitest'
import { notes } from '../../packages/testing/src/example/notes/contract.ts'
import { openCell, type Process } from './processes.ts'

const expected = sized(2_000, 10_000)
const killEvery = expected / 4
const writers = 16

test(`${expected} acknowledged writes survive repeated kills of the API`, async () => {
  await using cell = await openCell()
  const acknowledged = new Set<string>()
  let api: Process = await cell.start({ api: true })
  let kills = 0
  let restarting: Promise<void> | undefined

  async function killAndRestart(): Promise<void> {
    kills++
    const exit = once(api.child, 'exit')
    api.child.kill('SIGKILL')
    await exit
    api = await cell.start({ api: true })
  }

  await Promise.all(
    Array.from({ length: writers }, async () => {
      while (acknowledged.size < expected) {
        const { createNote } = client(notes, { baseUrl: `${api.url}/example`, headers: { 'x-api-key': cell.key } })
        // A failed write was not acknowledged: it may or may not exist.
        const note = await createNote({ body: { title: 'kept', text: '' } }).catch(() => undefined)
        if (note) acknowledged.add(note.body.id)
        else await restarting
        if (note && acknowledged.size % killEvery === 0) {
          restarting ??= killAndRestart().finally(() => {
            restarting = undefined
          })
        }
      }
    }),
  )
  await restarting
  const rows = await cell.database.many<{ id: string }>(sql`select id from example.notes`)
  const ids = new Set(rows.map(({ id }) => id))
  const lost = [...acknowledged].filter((id) => !ids.has(id))
  console.log(`${acknowledged.size} acknowledged, ${kills} kills, ${lost.length} lost, ${ids.size} stored`)
  expect(kills).toBeGreaterThanOrEqual(3)
  expect(lost).toEqual([])
})
