import { mkdtempDisposable, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { example, startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { blobStore } from './open.ts'
import { bucketState, stateOf } from './state.ts'

test('a folder whose disk is nearly full refuses new objects and still serves existing ones', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'icosa-full-'))
  const directory = folder.path
  await using roomy = await startTestApp({ services: [example], blobs: blobStore({ directory, minFreeBytes: 0 }) })
  await roomy.platform.blobs.put('kept', Buffer.from('kept'))
  const { blocks, bsize } = await statfs(directory)
  const full = blobStore({ directory, minFreeBytes: blocks * bsize + 1 })
  await using app = await startTestApp({ services: [example], blobs: full })
  const { blobs, metrics } = app.platform
  await expect.poll(() => metrics.text()).toMatch(/^icosa_blob_store_writable 0$/m)
  const refused = { name: 'Outage', message: expect.stringContaining('full') }
  await expect(blobs.put('more', Buffer.from('more'))).rejects.toMatchObject(refused)
  expect((await blobs.head('kept'))?.size).toBe(4)
  await blobs.delete('kept')
  const ready = await fetch(`${app.url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([200, { ready: true, blobs: 'full' }])
})

test('a store that refuses a probe is unreachable, and is not probed at every call', async () => {
  let probes = 0
  const refusing = {
    async put(): Promise<never> {
      probes++
      throw new Error('AccessDenied')
    },
  }
  const state = stateOf(() => bucketState(refusing as never), 60_000)
  await expect.poll(state).toBe('unreachable')
  expect(probes).toBe(1)
})
