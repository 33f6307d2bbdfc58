import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { startTestApp, type TestApp } from '@icosa/testing'
import { unpackAnalysis } from '../index.ts'
import { keyHeader } from '../names.ts'
import { settings, type UnpackValues } from '../settings.ts'

export interface UnpackApp extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  /** Folder of the sandbox. */
  readonly state: string
  post(
    path: string,
    file: Uint8Array,
    fields?: readonly (readonly [string, string])[],
    options?: SendOptions,
  ): Promise<Response>
}

export interface SendOptions {
  readonly accept?: string
  /** Address of the sender, which is its tenant. */
  readonly from?: string
  readonly key?: string
}

export type UnpackAppOptions = Partial<UnpackValues>

/** Starts the service with real HTTP. */
export async function startUnpack(options: UnpackAppOptions = {}): Promise<UnpackApp> {
  const state = mkdtempSync(join(tmpdir(), 'icosa-unpack-state-'))
  // Elapsed time is charged: on a busy machine, the tests of one file could exceed the hourly budget.
  const unbudgeted = { cpuMs: 1e9, bytes: 1e12, anonymousBytes: 1e12 }
  const values = { ...settings.read({}), ...unbudgeted, runtime: 'bwrap' as const, concurrency: 2, ...options, state }
  const app = await startTestApp(unpackAnalysis(values))
  const url = `${app.url}/unpack-analysis`
  return {
    app,
    url,
    state,
    post(path, file, fields = [], options = {}) {
      const form = new FormData()
      form.append('file', new Blob([Buffer.from(file)]), 'sample.exe')
      for (const [name, value] of fields) form.append(name, value)
      return send(url + path, form, options)
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(state, { recursive: true, force: true })
    },
  }
}

/** Sends a form on a new connection. Reads early responses, before the whole body is sent. */
export async function send(
  url: string,
  form: FormData,
  { accept = '*/*', from, key }: SendOptions = {},
): Promise<Response> {
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = {
    accept,
    'content-type': encoded.headers.get('content-type') ?? '',
    'content-length': body.length,
    ...(key !== undefined && { [keyHeader]: key }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', headers, agent: false, ...(from && { localAddress: from }) },
      (reply) => {
        outgoing.off('error', reject).on('error', () => {}) // the body may still be in transit
        const headersOf = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)])
        buffer(reply).then(
          (content) => resolve(new Response(content, { status: reply.statusCode ?? 0, headers: headersOf })),
          reject,
        )
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
