import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the CI script on a project with only these tests. */
function ran(
  files: Readonly<Record<string, string>>,
  flaky: Readonly<Record<string, string>> = {},
  seconds?: Readonly<Record<string, number>>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'icosa-again-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(folder, 'tests'))
  writeFileSync(join(folder, 'tests/flaky.json'), JSON.stringify(flaky))
  const secondsList = join(folder, 'tests/seconds.json')
  if (seconds) writeFileSync(secondsList, JSON.stringify(seconds))
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), `import { beforeAll, expect, test } from 'vitest'\n${text}`)
  const { status, stdout } = spawnSync(process.execPath, [join(root, 'scripts/test.ts')], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...(seconds && { RECORD: '1' }) },
  })
  const summary = stdout.split('\n').filter((line) => /^(passed only|\d+ passed)/.test(line))
  const recorded = seconds && { seconds: JSON.parse(readFileSync(secondsList, 'utf8')) }
  return { status, said: summary, ...recorded }
}

const passes = "test('passes', () => {})"
const fails = "test('fails', () => expect(1).toBe(2))"
const failsOnce = (mark: string) => `
  import { existsSync, writeFileSync } from 'node:fs'
  test('fails once', () => {
    const isSecond = existsSync('${mark}')
    writeFileSync('${mark}', '')
    expect(isSecond).toBe(true)
  })`

test('a file that fails is retried once; if it then passes it is flaky, which fails the run after a week', () => {
  const files = { 'a.test.js': passes, 'b.test.js': failsOnce('seen') }
  const retried = 'passed only when retried: b.test.js'
  const today = new Date().toISOString().slice(0, 10)
  expect(ran(files)).toEqual({
    status: 0,
    said: [`${retried} (mend it, or add it to tests/flaky.json)`, '2 passed, 0 failed'],
  })
  expect(ran(files, { 'b.test.js': today })).toEqual({
    status: 0,
    said: [`${retried} (${today})`, '2 passed, 0 failed'],
  })
  expect(ran(files, { 'b.test.js': '2026-01-01' })).toEqual({
    status: 1,
    said: [`${retried} (2026-01-01)`, '2 passed, 1 failed'],
  })
})

test('a test that fails twice, a failing hook or an unhandled error fails the run', () => {
  const broken = `beforeAll(() => { throw new Error('no') })\n${passes}`
  const loose = "test('lets go', () => void Promise.reject(new Error('nobody waits for it')))"
  expect(ran({ 'a.test.js': `${passes}\n${fails}` })).toEqual({ status: 1, said: ['1 passed, 1 failed'] })
  expect(ran({ 'a.test.js': broken })).toEqual({ status: 1, said: ['0 passed, 1 failed'] })
  expect(ran({ 'a.test.js': loose })).toEqual({ status: 1, said: ['1 passed, 1 failed'] })
})

test('no file is retried if many fail', () => {
  const many = Array.from({ length: 6 }, (_, index) => [`${index}.test.js`, failsOnce(`seen-${index}`)])
  expect(ran(Object.fromEntries(many))).toEqual({ status: 1, said: ['0 passed, 6 failed'] })
})

test('a run of some files keeps the recorded durations of the others, as long as they exist', () => {
  const before = { 'a.test.js': 40, 'other.js': 30, 'deleted.test.js': 20 }
  const { seconds } = ran({ 'a.test.js': passes, 'other.js': '' }, {}, before)
  expect(seconds).toEqual({ 'other.js': 30 })
})
