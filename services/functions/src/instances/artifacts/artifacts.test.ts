import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openArtifacts } from './artifacts.ts'

let folder = ''
let opened: string[] = []
beforeEach(() => {
  folder = mkdtempSync('/tmp/artifacts-')
  opened = []
})
afterEach(() => rmSync(folder, { recursive: true }))

function tar(text: string): Buffer {
  const source = mkdtempSync('/tmp/source-')
  chmodSync(source, 0o755)
  execFileSync('sh', ['-c', 'printf %s "$1" >"$2/file"', 'sh', text, source])
  const packed = execFileSync('tar', ['-czf', '-', '-C', source, '.'])
  rmSync(source, { recursive: true })
  return packed
}

const open = (maxBytes = 1_000_000) =>
  openArtifacts({
    folder,
    maxBytes,
    open: async (tenant, key) => {
      opened.push(`${tenant} ${key}`)
      if (key === 'missing') throw new Error('There is no such blob.')
      return Readable.from([tar(`${tenant} ${key}`)])
    },
    onError: (error) => {
      throw error
    },
  })

/** Makes all artifacts old enough for eviction. */
function age(): void {
  for (const name of readdirSync(folder)) utimesSync(join(folder, name), 0, 0)
}

test('an artifact is unpacked once per tenant, however many use it', async () => {
  const artifacts = await open()
  const three = await Promise.all([1, 2, 3].map(() => artifacts.use('acme', 'a')))
  expect(new Set(three.map(({ path }) => path)).size).toBe(1)
  expect(readFileSync(join(three[0]?.path ?? '', 'file'), 'utf8')).toBe('acme a')
  const other = await artifacts.use('other', 'a')
  expect(readFileSync(join(other.path, 'file'), 'utf8')).toBe('other a')
  await (await open()).use('acme', 'a') // another node on the machine
  expect(opened).toEqual(['acme a', 'other a'])
})

test('an artifact that cannot be read leaves nothing behind and is retried', async () => {
  const artifacts = await open()
  for (let n = 0; n < 2; n++) await expect(artifacts.use('acme', 'missing')).rejects.toThrow('no such blob')
  expect(opened).toHaveLength(2)
  expect(readdirSync(folder)).toEqual([])
})

test('beyond its size limit, least recently used artifacts are evicted, except those in use', async () => {
  const artifacts = await open(10)
  const used = await artifacts.use('acme', 'used')
  const idle = await artifacts.use('acme', 'idle')
  idle.release()
  age()
  mkdirSync(join(folder, 'left.part')) // of a killed node
  utimesSync(join(folder, 'left.part'), 0, 0)
  const fresh = await artifacts.use('acme', 'fresh')
  expect([used, idle, fresh].map(({ path }) => existsSync(path))).toEqual([true, false, true])
  expect(existsSync(join(folder, 'left.part'))).toBe(false)
})

test('an artifact touched by another node is kept', async () => {
  const [first, second] = [await open(10), await open(10)]
  const used = await first.use('acme', 'used')
  age()
  await first.touch()
  await second.use('acme', 'fresh')
  expect(existsSync(used.path)).toBe(true)
})
