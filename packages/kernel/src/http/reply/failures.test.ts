import { writeFile } from 'node:fs/promises'
import { Type } from '@icosa/contract'
import { keyed } from '@icosa/dialects/keyed'
import { keyedServer } from '@icosa/dialects/keyed/server'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { InvariantViolation } from '../../assert.ts'
import { DatabaseUnavailable, isOutage } from '../../db/connection/unavailable.ts'
import { sql } from '../../db/db.ts'
import { implement, ok } from '../../implement.ts'

const { get } = keyed('X-Key')
const replies = { 200: Type.String() }
const contract = {
  fillDisk: get('/disk', { summary: '', open: true, replies }),
  fillDatabase: get('/database', { summary: '', open: true, replies }),
  overload: get('/overload', { summary: '', open: true, replies }),
  bug: get('/bug', { summary: '', open: true, replies }),
}

const failing = {
  name: 'failing',
  title: 'Failing',
  moves: 'withRows' as const,
  apis: [
    {
      dialect: keyedServer({ name: 'failing', headers: ['X-Key'] }),
      resources: {
        failing: implement(contract, {
          async fillDisk() {
            await writeFile('/dev/full', 'too much')
            return ok('')
          },
          async fillDatabase() {
            throw Object.assign(new Error('could not extend file'), { code: '53100' })
          },
          async overload() {
            throw new DatabaseUnavailable('No connection became free.')
          },
          async bug() {
            throw new InvariantViolation('This cannot be.')
          },
        }),
      },
    },
  ] as const,
}

test('a full disk of node or PostgreSQL and an overloaded database yield 503 with Retry-After', async () => {
  await using app = await startTestApp(failing)
  const answerOf = async (path: string) => {
    const answer = await fetch(`${app.url}/failing/${path}`)
    return [answer.status, answer.headers.get('retry-after'), JSON.stringify(await answer.json())]
  }
  expect(await answerOf('disk')).toEqual([503, '60', expect.stringContaining('storage of this server is full')])
  expect(await answerOf('database')).toEqual([503, '60', expect.stringContaining('storage of this server is full')])
  expect(await answerOf('overload')).toEqual([503, '1', expect.stringContaining('No connection became free')])
  expect(await answerOf('bug')).toEqual([500, null, expect.not.stringContaining('This cannot be')])
})

test('a full disk of the node or its database is an outage: jobs are retried', async () => {
  await using app = await startTestApp(failing)
  const full = await writeFile('/dev/full', 'too much').catch((error: unknown) => error)
  expect(isOutage(new Error('The file was not written.', { cause: full }))).toBe(true)
  await app.platform.database
    .transaction(async (db) => {
      await db.script(`create function pg_temp.fill() returns int language plpgsql as
        $$ begin raise exception 'no space left on device' using errcode = 'disk_full'; end $$`)
      await db.run(sql`select pg_temp.fill()`)
    })
    .then(
      () => expect.unreachable(),
      (error) => expect(isOutage(error)).toBe(true),
    )
})
