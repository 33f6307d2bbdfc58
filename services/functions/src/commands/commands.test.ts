import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type FunctionsApp, startFunctions, testSettings } from '../testing/app.ts'
import { functions } from './functions.ts'
import type { CommandInput } from './session.ts'
import { topics } from './topics.ts'

let app: FunctionsApp
let folder = ''
beforeAll(async () => {
  app = await startFunctions({}, { worker: { concurrency: 16, background: true } })
  folder = await mkdtemp(join(tmpdir(), 'icosa-source-'))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

/** Returns the output on stdout. */
async function run(command: typeof functions, words: string, flags: CommandInput['flags'] = {}): Promise<string> {
  const { platform, url: baseUrl } = app
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
  try {
    await command.run({
      note() {},
      words: words.split(' '),
      flags: { tenant: 'shop', ...flags },
      settings: testSettings() as never,
      facts: { baseUrl, region: 'europe-north1', scratchDirectory: folder, hasDevelopmentDatabase: false },
      withDatabase: (work) => work(platform.database),
      vaultOf: async () => platform.cellVault,
      openFetch: () => Promise.reject(new Error('Unexpected fetch.')),
      readPermissions: () => Promise.reject(new Error('Unexpected permissions.')),
    })
    return write.mock.calls.map(([text]) => text).join('')
  } finally {
    write.mockRestore()
  }
}
const patience = { timeout: 120_000, interval: 200 }

async function source(files: Readonly<Record<string, string>>): Promise<string> {
  const at = await mkdtemp(join(folder, 'source-'))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(at, path, '..'), { recursive: true })
    await writeFile(join(at, path), content)
  }
  return at
}

test('a folder is deployed, called, followed and redeployed', async () => {
  const files = {
    'index.js':
      "const { word } = require('./lib/word')\nexports.hello = (request, response) => { console.log('called'); response.send(word + process.env.END) }\n",
    'lib/word.js': "exports.word = 'good day'\n",
    '.git/config': 'not part of the source',
  }
  const flags = { source: await source(files), 'set-env-vars': 'END=!', 'trigger-http': true }
  const uri = (await run(functions, 'deploy hello', flags)).trim()
  expect(uri).toMatch(/^http:.*\/functions\/run\/hello-/)
  expect(await run(functions, 'call hello')).toBe('good day!\n')
  // In either order: output and response arrive on separate connections.
  for (const line of [/\w{12} {2}called$/m, /\w{12} {2}platform: {2}GET \/ 200 in/])
    await expect.poll(() => run(functions, 'logs hello'), patience).toMatch(line)
  expect(await run(functions, 'list')).toMatch(/hello +ACTIVE +nodejs24 +http/)

  const later = { ...files, 'lib/word.js': "exports.word = 'good night'\n" }
  await run(functions, 'deploy hello', { source: await source(later), 'allow-unauthenticated': true })
  await expect.poll(async () => (await fetch(uri)).text(), patience).toBe('good night!') // settings are kept

  expect(await run(functions, 'revisions hello')).toMatch(/hello-00002-\w+ .* yes\s*\n *hello-00001-\w+ /)
  await run(functions, 'rollback hello')
  await expect.poll(async () => (await fetch(uri)).text(), patience).toBe('good day!')
})

test('a source that cannot be built is refused with file and line', async () => {
  const flags = { source: await source({ 'index.js': '\nexports.hello = () => {{ }\n' }) }
  await expect(run(functions, 'deploy broken', flags)).rejects.toThrow(/broken was not deployed\.\nindex\.js:\d/)
  await expect(run(functions, 'deploy none', { source: '/no/such' })).rejects.toThrow("no folder '/no/such'")
  await expect(run(functions, 'call nowhere')).rejects.toThrow('was not found')
  await expect(run(functions, 'dance')).rejects.toThrow('Usage')
  await expect(run(functions, 'deploy hello', { ...flags, 'set-env-vars': 'A' })).rejects.toThrow('NAME=VALUE')
})

test('a published message reaches a function with its secret', async () => {
  await run(functions, 'secrets set word', { value: 'sesame' })
  expect(await run(functions, 'secrets list')).toMatch(/shop +word +1/)
  const main =
    'import os\ndef orders(event):\n    print("got", event.data["message"]["attributes"]["size"], os.environ["WORD"])\n'
  const flags = { source: await source({ 'main.py': main }), 'trigger-topic': 'orders', 'set-secrets': 'WORD=word' }
  await run(functions, 'deploy orders', flags)
  expect(await run(topics as never, 'publish orders shirt', { attributes: '{"size":"xl"}' })).toMatch(
    /^[\da-f-]{36}\n$/,
  )
  await expect.poll(() => run(functions, 'logs orders'), patience).toContain('got xl sesame')
  expect(await run(functions, 'events orders')).toBe('')
})
