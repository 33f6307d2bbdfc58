import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sqlDatabases } from '../index.ts'
import { serviceName } from '../names.ts'
import { defaultSettings } from '../settings.ts'
import { walChunkKey } from '../wal-archive/receiver.ts'
import { archiveKeyOf, sealBytes } from '../wal-archive/sealing.ts'
import * as store from '../wal-archive/store.ts'
import { writeWalSegments } from './wal.ts'

const segmentBytes = 2 ** 20
let app: TestApp
let shared: Blobs
let epoch: number
beforeAll(async () => {
  app = await startTestApp(sqlDatabases(defaultSettings))
  shared = app.platform.blobsOf(serviceName, '').shared
})
afterAll(() => app?.[Symbol.asyncDispose]())
beforeEach(async () => {
  const archive = await app.platform.database.transaction((db) =>
    store.beginArchive(db, { system: '7', timeline: 1, segmentBytes }, new Date(0)),
  )
  epoch = archive.epoch
})

/** Archives a WAL chunk as the receiver does, and deletes the chunks it contains. */
async function archive(start: number, text: string): Promise<string> {
  const id = crypto.randomUUID()
  const name = walChunkKey(epoch, id)
  await shared.put(name, await sealBytes(archiveKeyOf(app.platform.cellVault), name, Buffer.from(text)))
  const chunk = { id, start: BigInt(start), end: BigInt(start + text.length), sentAt: new Date(0) }
  const replaced = await app.platform.database.transaction((db) => store.addChunk(db, epoch, chunk))
  for (const { id: other } of replaced || []) await shared.delete(walChunkKey(epoch, other))
  return name
}

/** Returns the contents of the segment files, with `meanwhile` run before the first chunk is read. */
async function segmentsWhen(meanwhile: () => Promise<unknown>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-log-'))
  let isFirst = true
  const get: Blobs['get'] = async (...args) => {
    if (isFirst) await meanwhile()
    isFirst = false
    return shared.get(...args)
  }
  const { database: db, cellVault } = app.platform
  const context = {
    db,
    cellVault,
    blobs: { shared: { get } },
    signal: AbortSignal.timeout(60_000),
  }
  try {
    await writeWalSegments({ epoch, start: 0n }, new Date(), folder, undefined, context)
    const files = (await readdir(join(folder, 'wal'))).toSorted()
    const readSegment = async (file: string) => (await readFile(join(folder, 'wal', file), 'utf8')).replaceAll('\0', '')
    return await Promise.all(files.map(readSegment))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('reads merged chunks if they are merged in the meantime', async () => {
  await archive(0, 'one')
  await archive(3, 'two')
  await archive(segmentBytes, 'next')
  expect(await segmentsWhen(() => archive(0, 'onetwothree'))).toEqual(['onetwothree', 'next'])
})

test('reports a missing chunk that was not merged', async () => {
  const name = await archive(0, 'one')
  await expect(segmentsWhen(() => shared.delete(name))).rejects.toThrow(`A chunk of the WAL is missing: ${name}`)
})
