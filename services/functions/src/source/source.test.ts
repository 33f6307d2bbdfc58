import { sql } from '@icosa/kernel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, type FunctionsApp, hello, place, startFunctions, type Tenant, zipOf } from '../testing/app.ts'
import { maxSourceBytes } from './contract.ts'

let app: FunctionsApp
let acme: Tenant
beforeAll(async () => {
  app = await startFunctions()
  acme = await app.tenant()
})
afterAll(() => app[Symbol.asyncDispose]())

const zip = { 'content-type': 'application/zip' }
const send = (url: string, body: Buffer = zipOf(hello), headers: Record<string, string> = zip) =>
  fetch(url, { method: 'PUT', body: new Uint8Array(body), headers })

test('an upload URL accepts a zip without credentials until it expires', async () => {
  const { uploadUrl } = (await acme.generateUploadUrl({ params: place, body: { environment: 'GEN_2' } })).body
  expect((await send(uploadUrl)).status).toBe(200)
  expect((await send(uploadUrl)).status).toBe(200) // retry after a lost response
  expect((await send(uploadUrl.replace(/signature=../, 'signature=AA'))).status).toBe(403)
  expect((await send(uploadUrl.replace(/expires=\d/, 'expires=9'))).status).toBe(403)
  expect((await send(uploadUrl.replace(/source\/./, 'source/x'))).status).toBe(403)
  expect((await send(uploadUrl, undefined, { 'content-type': 'text/plain' })).status).toBe(415)
  await app.clock.advance(31 * 60_000)
  const late = await send(uploadUrl)
  expect(late.status).toBe(403)
  expect(await late.text()).toContain('expired')
})

test('an upload with too large a Content-Length is refused before it is read', async () => {
  const { uploadUrl } = (await acme.generateUploadUrl({ params: place, body: {} })).body
  const { request } = await import('node:http')
  const status = await new Promise((resolve, reject) => {
    const headers = { ...zip, 'content-length': maxSourceBytes + 1 }
    const upload = request(uploadUrl, { method: 'PUT', headers }, ({ statusCode }) => {
      resolve(statusCode)
      upload.destroy()
    })
    upload.on('error', reject)
    upload.flushHeaders()
  })
  expect(status).toBe(413)
})

test('the deployed source can be downloaded for half an hour', async () => {
  const params = at('read-back')
  await acme.deploy('read-back', hello)
  const { downloadUrl } = (await acme.generateDownloadUrl({ params, body: {} })).body
  const fetchSource = async () => {
    const response = await fetch(downloadUrl)
    return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status
  }
  expect(await fetchSource()).toEqual(zipOf(hello))
  await app.clock.advance(31 * 60_000)
  expect(await fetchSource()).toBe(403)
})

test('after a failed first build the upload can be downloaded until it expires', async () => {
  const broken = { 'index.js': 'exports.hello = (' }
  expect((await acme.deploy('broken', broken)).error?.message).toContain('index.js')
  const params = at('broken')
  const { downloadUrl } = (await acme.generateDownloadUrl({ params, body: {} })).body
  expect(Buffer.from(await (await fetch(downloadUrl)).arrayBuffer())).toEqual(zipOf(broken))
  await app.clock.advance(26 * 3_600_000)
  await app.jobs.drain()
  const late = acme.generateDownloadUrl({ params, body: {} })
  await expect(late).rejects.toMatchObject({ body: { error: { message: expect.stringContaining('kept for a day') } } })
})

test('a missing source and a missing deployment are reported', async () => {
  const { storageSource } = (await acme.generateUploadUrl({ params: place, body: {} })).body
  const buildConfig = { runtime: 'nodejs24', source: { storageSource } }
  const created = await acme.createFunction({ params: place, query: { functionId: 'empty' }, body: { buildConfig } })
  const message = expect.stringContaining('Nothing was uploaded')
  expect(await acme.waitFor(created.body)).toMatchObject({ done: true, error: { code: 3, message } })
  const { body } = await acme.getFunction({ params: at('empty') })
  expect(body).toMatchObject({
    state: 'FAILED',
    stateMessages: [{ severity: 'ERROR', type: 'InvalidSource', message }],
  })
  const download = acme.generateDownloadUrl({ params: at('empty'), body: {} })
  await expect(download).rejects.toMatchObject({ status: 400, body: { error: { status: 'FAILED_PRECONDITION' } } })
})

test('uploads of others cannot be deployed, and expired ones are deleted', async () => {
  const storageSource = await acme.upload(hello)
  const other = await app.tenant('other')
  const parent = { project: 'elsewhere', location: 'europe-north1' }
  const body = { buildConfig: { runtime: 'nodejs24', source: { storageSource } } }
  const stolen = other.createFunction({ params: parent, query: { functionId: 'stolen' }, body })
  await expect(stolen).rejects.toMatchObject({ status: 400 })

  await acme.deploy('kept', hello)
  await app.clock.advance(26 * 3_600_000)
  await app.jobs.drain()
  const late = acme.createFunction({ params: place, query: { functionId: 'late' }, body })
  await expect(late).rejects.toMatchObject({ status: 400 })
  const labels = { team: 'red' } // its source still exists
  const changed = await acme.updateFunction({ params: at('kept'), body: { labels } })
  expect((await acme.waitFor(changed.body)).response).toMatchObject({ state: 'ACTIVE', labels })
})

test("an upload is one of its tenant's blobs, and its URL expires with its row", async () => {
  const { uploadUrl } = (await acme.generateUploadUrl({ params: place, body: {} })).body
  expect((await send(uploadUrl)).status).toBe(200)
  const [, id] = /source\/([^?]+)/.exec(uploadUrl) ?? []
  const blobs = app.platform.blobsOf('functions', 'acme')
  expect(await blobs.head(`uploads/${id}.zip`)).toBeDefined()
  expect((await blobs.shared.list('', { limit: 10 })).items).toEqual([])
  await app.platform.database.run(sql`delete from functions.uploads where id = ${id}`)
  expect((await send(uploadUrl)).status).toBe(403)
})
