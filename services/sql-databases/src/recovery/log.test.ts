import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Blobs } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { pieceKey } from '../archive/receiver.ts'
import { archiveKeyOf, sealBytes } from '../archive/sealing.ts'
import * as store from '../archive/store.ts'
import { sqlDatabases } from '../index.ts'
import { serviceName } from '../names.ts'
import { defaultSettings } from '../settings.ts'
import { writeLog } from './log.ts'

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

/** Keeps a piece of the log as the receiver does, and removes the pieces that it has in it. */
async function keep(start: number, text: string): Promise<string> {
  const id = crypto.randomUUID()
  const name = pieceKey(epoch, id)
  await shared.put(name, await sealBytes(archiveKeyOf(app.platform.vault), name, Buffer.from(text)))
  const piece = { id, start: BigInt(start), end: BigInt(start + text.length), sentAt: new Date(0) }
  const replaced = await app.platform.database.transaction((db) => store.addPiece(db, epoch, piece))
  for (const { id: other } of replaced || []) await shared.delete(pieceKey(epoch, other))
  return name
}

/** What of the log is in its files, when this happens before a piece is read. */
async function logWhen(meanwhile: () => Promise<unknown>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-log-'))
  let isFirst = true
  const get: Blobs['get'] = async (...asked) => {
    if (isFirst) await meanwhile()
    isFirst = false
    return shared.get(...asked)
  }
  const { database: db, vault } = app.platform
  const context = {
    db,
    vault,
    blobs: { shared: { get } },
    signal: AbortSignal.timeout(60_000),
  }
  try {
    await writeLog({ epoch, start: 0n }, new Date(), folder, undefined, context)
    const files = (await readdir(join(folder, 'wal'))).toSorted()
    const read = async (file: string) => (await readFile(join(folder, 'wal', file), 'utf8')).replaceAll('\0', '')
    return await Promise.all(files.map(read))
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('pieces that are put together while they are read are read as the one that is in their place', async () => {
  await keep(0, 'one')
  await keep(3, 'two')
  await keep(segmentBytes, 'next')
  expect(await logWhen(() => keep(0, 'onetwothree'))).toEqual(['onetwothree', 'next'])
})

test('a piece that is gone without another in its place is named', async () => {
  const name = await keep(0, 'one')
  await expect(logWhen(() => shared.delete(name))).rejects.toThrow(`A piece of the log is missing: ${name}`)
})
