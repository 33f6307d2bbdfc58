import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { children, expireClaims, sized, startTestApp, testNode } from '@icosa/testing'
import { expect, test } from 'vitest'
import type { Descriptor } from '../engine/look/describe.ts'
import { faceRecognition } from '../index.ts'
import { callersOf } from '../testing/app.ts'
import { addPersons, anotherPhotoOf, detect, generator, idOf, randomDescriptor } from '../testing/synthetic.ts'

const count = sized(20_000, 100_000)
const params = { largePersonGroupId: 'everybody' }

async function startWorker(databaseUrl: string, folder: string): Promise<ChildProcess> {
  const worker = fork(new URL('../testing/worker.ts', import.meta.url), [databaseUrl, folder])
  await once(worker, 'message')
  return worker
}

test(`a training of ${count} faces whose worker is killed is completed once, by another worker`, {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-training-'))
  await using workers = children()
  try {
    await using app = await startTestApp({ services: [faceRecognition()], blobs: testNode([], '', folder).blobs })
    const { largeGroups, comparison } = await callersOf(app)
    const random = generator(5)
    const all = Array.from({ length: count }, () => randomDescriptor(random))
    await largeGroups.create({ params, body: { name: 'Everybody' } })
    await addPersons(app, 'acme', params.largePersonGroupId, all)
    const faceIds = await detect(app, 'acme', [anotherPhotoOf(all[17] as Descriptor, random)])
    const identify = () => comparison.identify({ body: { faceIds, ...params, confidenceThreshold: 0 } })
    const status = async () => (await largeGroups.getTrainingStatus({ params })).body.status
    const galleries = async () =>
      (await app.platform.blobs.list('face-recognition/acme/galleries/', { limit: 10 })).items.length

    const first = workers.add(await startWorker(app.databaseUrl, folder))
    await largeGroups.train({ params })
    const fileCount = async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
    await expect.poll(fileCount, { timeout: 120_000, interval: 5 }).toBeGreaterThan(0)
    first.kill('SIGKILL')
    await once(first, 'exit')
    await expireClaims(app.platform.database)
    expect(await status()).toBe('running')
    await expect(identify()).rejects.toMatchObject({ status: 409 })

    workers.add(await startWorker(app.databaseUrl, folder))
    await expect.poll(status, { timeout: 300_000 }).toBe('succeeded')
    expect((await identify()).body[0]?.candidates[0]?.personId).toBe(idOf(2, 17))
    await expect.poll(galleries, { timeout: 60_000 }).toBe(1)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
