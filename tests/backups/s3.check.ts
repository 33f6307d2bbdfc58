import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { settings } from '@icosa/backup/settings'
import { openDatabase } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'
import { exclusivelyIn } from '../../services/backup/src/restic/exclusive.ts'
import { openRestic } from '../../services/backup/src/restic/restic.ts'

const { S3_ENDPOINT = '', S3_ACCESS_KEY, S3_SECRET_KEY, S3_BUCKET } = process.env

test('a repository in a bucket is created once, read by another worker, and never created anew', async () => {
  const values = settings.read({
    ICOSA_BACKUP_REPOSITORIES: `s3:${S3_ENDPOINT}/${S3_BUCKET}/${randomUUID()}`,
    ICOSA_BACKUP_S3_KEY_ID: S3_ACCESS_KEY,
    ICOSA_BACKUP_S3_SECRET: S3_SECRET_KEY,
  })
  const { signal } = new AbortController()
  const repository = { path: 'vault', password: 'x', mayCreate: true }
  const content = async () => Readable.from([Buffer.from('bytes')])
  await using testDatabase = await createTestDatabase([])
  const database = openDatabase({ url: testDatabase.url, maxConnections: 2, onError: () => {} })
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  const [one, other] = [openRestic(values, exclusivelyIn(database)), openRestic(values, exclusivelyIn(database))]
  const [saved] = await Promise.all([
    one.backup(repository, { name: 'one', tags: [], content, signal }),
    other.backup(repository, { name: 'two', tags: [], content, signal }),
  ])
  const read = await other.read(repository, saved.snapshot, 'one', signal)
  expect((await buffer(read)).toString()).toBe('bytes')
  expect(await other.list({ ...repository, mayCreate: false }, signal)).toHaveLength(2)
  const lost = { ...repository, path: 'lost', mayCreate: false }
  await expect(openRestic(values).backup(lost, { name: 'one', tags: [], content, signal })).rejects.toThrow(
    /unable to open config file/,
  )
})
