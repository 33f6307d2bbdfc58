import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RuntimeName } from '@icosa/sandbox'
import { startTestApp, type TestApp } from '@icosa/testing'
import { unpackAnalysis } from '../index.ts'
import { settings } from '../settings.ts'

export interface UnpackApp extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  /** Where the sandbox keeps what it needs. */
  readonly state: string
  post(
    path: string,
    file: Uint8Array,
    fields?: readonly (readonly [string, string])[],
    accept?: string,
  ): Promise<Response>
}

export interface UnpackAppOptions {
  readonly runtime?: RuntimeName
  readonly emulateMs?: number
  readonly ruleMs?: number
}

/** The service over real HTTP. */
export async function startUnpack(options: UnpackAppOptions = {}): Promise<UnpackApp> {
  const state = mkdtempSync(join(tmpdir(), 'icosa-unpack-state-'))
  const chosen = { ...settings.read({}), runtime: 'bwrap' as const, atOnce: 2, ...options, state }
  const app = await startTestApp(unpackAnalysis(chosen))
  const url = `${app.url}/unpack-analysis`
  return {
    app,
    url,
    state,
    post(path, file, fields = [], accept = '*/*') {
      const body = new FormData()
      body.append('file', new Blob([Buffer.from(file)]), 'sample.exe')
      for (const [name, value] of fields) body.append(name, value)
      return fetch(url + path, { method: 'POST', body, headers: { accept } })
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]()
      await rm(state, { recursive: true, force: true })
    },
  }
}
