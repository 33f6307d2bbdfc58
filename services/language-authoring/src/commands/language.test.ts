import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { defaultSettings, languageAuthoring } from '../index.ts'
import { generatedApp } from '../testing/documents.ts'
import { language } from './language.ts'

let folder = ''
let app: Awaited<ReturnType<typeof startTestApp>>
let key = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-language-'))
  app = await startTestApp({
    services: [languageAuthoring({ ...defaultSettings, predictors: 1 })],
    worker: { concurrency: 4, background: true },
  })
  key = await app.key('acme')
}, 60_000)
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const run = async (words: readonly string[], flags: Record<string, string | boolean> = {}) => {
  const output: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((line) => output.push(String(line)) > 0)
  try {
    await language.run({ words, flags: { key, ...flags }, facts: { baseUrl: app.url } } as never)
  } finally {
    write.mockRestore()
  }
  return output.join('')
}

test('a file is imported, trained and published, then tested with its own utterances', async () => {
  const file = join(folder, 'export.json')
  await writeFile(file, JSON.stringify(generatedApp(2)))
  expect(await run(['import', file], { name: 'Travel' })).toMatch(/\/slots\/production\/predict\n$/)
  const report = JSON.parse(await run(['test', 'Travel', file], { json: true }))
  expect(report.accuracy).toBeGreaterThan(0.8)
  expect(report.intents.map(({ name }: { name: string }) => name)).toContain('Book')
  const table = await run(['test', 'Travel', file])
  expect(table).toMatch(/intent +support +precision +recall +F1/)
  expect(table).toContain('The intent is correct in ')
}, 180_000)

test('mistakes are usage errors', async () => {
  await expect(run(['import'])).rejects.toThrow('Which file?')
  await expect(run(['test', 'Nothing', join(folder, 'export.json')])).rejects.toThrow("There is no app 'Nothing'")
  const wrong = join(folder, 'wrong.json')
  await writeFile(wrong, '{"luis_schema_version":"9.0.0"}')
  await expect(run(['import', wrong])).rejects.toThrow("'9.0.0' is unknown")
  await expect(run(['test', 'Travel', wrong])).rejects.toThrow('has no utterances')
  await expect(run(['import', wrong], { url: 'http://127.0.0.1:1' })).rejects.toThrow('does not answer')
})
