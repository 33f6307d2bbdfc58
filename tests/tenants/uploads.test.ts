import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { place, startFunctions } from '@icosa/functions/testing/app'
import { blobPrefix } from '@icosa/kernel'
import { operating } from '@icosa/platform'
import { auditKeyPurpose } from '@icosa/platform/audit'
import { limitedBlobs, limitsKnownMs, setLimit } from '@icosa/platform/limits'
import { deleteTenant } from '@icosa/platform/tenants'
import { freePort, testNode } from '@icosa/testing'
import { expect, test } from 'vitest'

test('sources of functions count against the byte limit of their tenant, and are deleted with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-uploads-'))
  const port = await freePort()
  const blobs = limitedBlobs(testNode([], '', folder).blobs)
  await using app = await startFunctions(
    { baseUrl: `http://127.0.0.1:${port}` },
    { services: [operating], blobs, api: { host: '127.0.0.1', port } },
  )
  const acme = await app.tenant()
  const { database, clock } = app.platform
  await setLimit(database, { tenant: 'acme', service: 'functions', kind: 'bytes', amount: 2_000_000 })
  const address = async () => (await acme.generateUploadUrl({ params: place, body: {} })).body.uploadUrl
  const send = async (url: string, bytes: number) => {
    const headers = { 'content-type': 'application/zip' }
    const response = await fetch(url, { method: 'PUT', headers, body: randomBytes(bytes) })
    return { status: response.status, text: await response.text() }
  }
  const [first, second] = [await address(), await address()]
  await expect.poll(() => send(first, 3_000_000), { timeout: 5 * limitsKnownMs }).toMatchObject({ status: 429 })
  expect(await send(first, 1_500_000)).toMatchObject({ status: 200 })
  const refused = await send(second, 1_000_000)
  expect(refused).toEqual({ status: 429, text: expect.stringContaining('RESOURCE_EXHAUSTED') })

  const listed = async () => (await app.platform.blobs.list(blobPrefix('functions'), { limit: 10 })).items
  expect(await listed()).toHaveLength(1)
  const { cellVault } = app.platform
  const auditKeys = [cellVault.derive(auditKeyPurpose)]
  await deleteTenant('acme', {
    database,
    clock,
    blobs: app.platform.blobs,
    services: [{ service: 'functions' }],
    auditKeys,
    settleMs: 100,
  })
  expect(await send(first, 1_000), 'signed with a key that is gone').toMatchObject({ status: 403 })
  expect(await listed()).toEqual([])
  await rm(folder, { recursive: true, force: true })
})
