import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, client } from '@icosa/client'
import { freePort, startTestApp, type TestApp, type TestAppOptions } from '@icosa/testing'
import { zip } from '../build/zip.ts'
import { events, functions, locations, logs, operations, policies, source } from '../contract.ts'
import { type FunctionsSettings, functionsService } from '../index.ts'

const contract = { ...events, ...logs, ...functions, ...locations, ...operations, ...policies, ...source }

/** As an operator would have it, but with the quickest sandbox. */
export const testSettings = (more: Partial<FunctionsSettings> = {}): FunctionsSettings => ({
  sandbox: 'bwrap',
  buildMs: 60_000,
  baseUrl: 'http://127.0.0.1:4000',
  region: 'europe-north1',
  // One for all tests of this machine: what runs functions is put together once, which takes seconds.
  folder: join(tmpdir(), 'icosa-functions-test'),
  ...more,
})

export type Files = Readonly<Record<string, string>>

export const place = { project: 'shop', location: 'europe-north1' }
export const at = (name: string) => ({ ...place, function: name })
/** A policy that lets anybody call. */
export const everybody = { policy: { bindings: [{ role: 'roles/cloudfunctions.invoker', members: ['allUsers'] }] } }

export interface FunctionsApp extends TestApp {
  tenant(name?: string, permissions?: readonly string[]): Promise<Tenant>
}

export interface Tenant extends Client<typeof contract> {
  readonly key: string
  /** Uploads a zip and answers where it is. */
  upload(files: Files | Uint8Array): Promise<{ readonly bucket: string; readonly object: string }>
  /** Creates a function of these files and waits for the operation's end. */
  deploy(name: string, files: Files | Uint8Array, more?: Deployed): Promise<Ended>
  /** An operation once it has ended. */
  ended(operation: { readonly name: string }): Promise<Ended>
}

export interface Deployed {
  readonly runtime?: string
  readonly entryPoint?: string
  readonly body?: Readonly<Record<string, unknown>>
}

export interface Ended {
  readonly name: string
  readonly done: boolean
  readonly response?: Readonly<Record<string, unknown>>
  readonly error?: { readonly code: number; readonly message: string }
}

export const hello: Files = {
  'index.js': "exports.hello = (request, response) => response.send('hello ' + (request.query.name ?? 'world'))\n",
}

/** The service on a port that is known before, since functions are called at addresses with it. */
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
  const calls = client(contract, { baseUrl: `${app.url}/functions`, headers: { authorization: `Bearer ${key}` } })
  const upload: Tenant['upload'] = (files) => uploaded(calls, place, files)
  const ended: Tenant['ended'] = async ({ name }) => {
    await app.jobs.drain()
    const operation = name.split('/').at(-1) ?? ''
    return (await calls.getOperation({ params: { ...place, operation } })).body as Ended
  }
  return {
    ...calls,
    key,
    upload,
    ended,
    async deploy(name, files, { runtime = 'nodejs24', entryPoint = 'hello', body = {} } = {}) {
      const buildConfig = { runtime, entryPoint, source: { storageSource: await upload(files) } }
      const begun = await calls.createFunction({
        params: place,
        query: { functionId: name },
        body: { buildConfig, ...body },
      })
      return ended(begun.body)
    },
  }
}

/** Sends a zip, and answers where it is. */
export async function uploaded(calls: Client<typeof source>, params: typeof place, files: Files | Uint8Array) {
  const { uploadUrl, storageSource } = (await calls.generateUploadUrl({ params, body: {} })).body
  const content = files instanceof Uint8Array ? files : zipOf(files)
  const headers = { 'content-type': 'application/zip' }
  const sent = await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(content) })
  if (!sent.ok) throw new Error(`${sent.status} ${await sent.text()}`)
  return storageSource
}

export const zipOf = (files: Files): Buffer => zip(Object.entries(files).map(([path, content]) => ({ path, content })))
