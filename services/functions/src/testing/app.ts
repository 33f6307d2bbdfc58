import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, client } from '@icosa/client'
import { freePort, startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { zip } from '../build/zip.ts'
import { calls, events, functions, locations, logs, operations, policies, source, traffic } from '../contract.ts'
import { type FunctionsSettings, functionsService } from '../index.ts'

const contract = {
  ...calls,
  ...events,
  ...logs,
  ...functions,
  ...locations,
  ...operations,
  ...policies,
  ...source,
  ...traffic,
}

/** Defaults with the fastest sandbox. */
export const testSettings = (more: Partial<FunctionsSettings> = {}): FunctionsSettings => ({
  sandbox: 'bwrap',
  buildMs: 60_000,
  baseUrl: 'http://127.0.0.1:4000',
  region: 'europe-north1',
  // Shared by all tests on the machine, since creating kits takes seconds.
  folder: join(tmpdir(), 'icosa-functions-test'),
  ...more,
})

export type Files = Readonly<Record<string, string>>

export const place = { project: 'shop', location: 'europe-north1' }
export const at = (name: string) => ({ ...place, function: name })
/** Lets anyone call. */
export const publicPolicy = { policy: { bindings: [{ role: 'roles/cloudfunctions.invoker', members: ['allUsers'] }] } }

export interface FunctionsApp extends TestApp {
  tenant(name?: string, permissions?: readonly string[]): Promise<Tenant>
}

export interface Tenant extends Client<typeof contract> {
  readonly key: string
  /** Uploads a zip and returns its storage source. */
  upload(files: Files | Uint8Array): Promise<{ readonly bucket: string; readonly object: string }>
  /** Creates a function and waits for the operation. */
  deploy(name: string, files: Files | Uint8Array, more?: DeployOptions): Promise<Operation>
  /** Waits for an operation. */
  waitFor(operation: { readonly name: string }): Promise<Operation>
}

export interface DeployOptions {
  readonly runtime?: string
  readonly entryPoint?: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface Operation {
  readonly name: string
  readonly done: boolean
  readonly response?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export const hello: Files = {
  'index.js': "exports.hello = (request, response) => response.send('hello ' + (request.query.name ?? 'world'))\n",
}

/** Starts the service on a port chosen in advance, since it is part of the URLs of functions. */
export async function startFunctions(
  more: Partial<FunctionsSettings> = {},
  options: Partial<TestAppOptions> = {},
): Promise<FunctionsApp> {
  const port = await freePort()
  const settings = testSettings({ baseUrl: `http://127.0.0.1:${port}`, ...more })
  const app = await startTestApp({
    api: { host: '127.0.0.1', port },
    ...options,
    services: [functionsService(settings), ...(options.services ?? [])],
  })
  return {
    ...app,
    async tenant(name = 'acme', permissions) {
      return tenantOf(app, await app.key(name, permissions))
    },
  }
}

function tenantOf(app: TestApp, key: string): Tenant {
  const api = client(contract, { baseUrl: `${app.url}/functions`, headers: { authorization: `Bearer ${key}` } })
  const upload: Tenant['upload'] = (files) => uploadSource(api, place, files)
  const waitFor: Tenant['waitFor'] = async ({ name }) => {
    await app.jobs.drain()
    const operation = name.split('/').at(-1) ?? ''
    return (await api.getOperation({ params: { ...place, operation } })).body as Operation
  }
  return {
    ...api,
    key,
    upload,
    waitFor,
    async deploy(name, files, { runtime = 'nodejs24', entryPoint = 'hello', body = {} } = {}) {
      const buildConfig = { runtime, entryPoint, source: { storageSource: await upload(files) } }
      const created = await api.createFunction({
        params: place,
        query: { functionId: name },
        body: { buildConfig, ...body },
      })
      return waitFor(created.body)
    },
  }
}

/** Uploads a zip and returns its storage source. */
export async function uploadSource(calls: Client<typeof source>, params: typeof place, files: Files | Uint8Array) {
  const { uploadUrl, storageSource } = (await calls.generateUploadUrl({ params, body: {} })).body
  const content = files instanceof Uint8Array ? files : zipOf(files)
  const headers = { 'content-type': 'application/zip' }
  const response = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(content) })
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return storageSource
}

export const zipOf = (files: Files): Buffer => zip(Object.entries(files).map(([path, content]) => ({ path, content })))
