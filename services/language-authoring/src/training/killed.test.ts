import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from '@icosa/kernel'
import { expireClaims } from '@icosa/testing'
import { expect, test } from 'vitest'
import { callersOf, fileOf, start } from '../testing/app.ts'
import { generatedApp } from '../testing/documents.ts'

async function startWorker(databaseUrl: string, folder: string): Promise<ChildProcess> {
  const worker = fork(new URL('../testing/worker.ts', import.meta.url), [databaseUrl, folder])
  await once(worker, 'message')
  return worker
}

test('a training whose worker is killed is completed by another worker', { timeout: 240_000 }, async () => {
  await using app = await start()
  const calls = await callersOf(app)
  const utterances = Array.from({ length: 150 }, (_, i) => ({
    text: `book number ${i} of ${i % 7} for ${i % 13}`,
    intent: 'Book',
    entities: [],
  }))
  const document = generatedApp(1)
  const { body: appId } = await calls.apps.import({
    body: fileOf({ ...document, utterances: [...document.utterances, ...utterances] }),
  })
  const params = { appId, versionId: '0.1' }
  const folder = await mkdtemp(join(tmpdir(), 'icosa-training-'))
  const workers: ChildProcess[] = []
  try {
    const first = await startWorker(app.databaseUrl, folder)
    workers.push(first)
    await calls.training.trainVersion({ params })
    const status = async () => (await calls.training.getStatus({ params })).body[0]?.details.status
    await expect.poll(status, { timeout: 60_000, interval: 20 }).toBe('InProgress')
    first.kill('SIGKILL')
    await once(first, 'exit')
    await expireClaims(app.platform.database)
    workers.push(await startWorker(app.databaseUrl, folder))
    await expect.poll(status, { timeout: 180_000 }).toBe('UpToDate')
    const rows = await app.platform.database.many(sql`
      select model, trained_revision = revision as "isCurrent" from language_authoring.versions`)
    expect(rows).toEqual([{ model: expect.stringMatching(/-[0-9a-f]{64}$/), isCurrent: true }])
  } finally {
    for (const worker of workers) worker.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
})
