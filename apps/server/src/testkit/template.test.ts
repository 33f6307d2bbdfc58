import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '@icosa/kernel'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { templateFor } from './template.ts'

let home = ''
let count = 0
const cache = () => join(home, 'icosa', 'testing')
const services = (...names: string[]) => names.map((name) => ({ name }) as Service)
const make = async (folder: string) => {
  count++
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'rows'), 'prepared')
  await writeFile(join(folder, 'postgres', 'port'), '1')
}
const fresh = (name: string) => join(home, name)

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'icosa-template-'))
  vi.stubEnv('XDG_CACHE_HOME', home)
  count = 0
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(home, { recursive: true })
})

test('a template is built once by concurrent users, copied, and restored', async () => {
  const all = await Promise.all(['one', 'two', 'three'].map(() => templateFor(services('backup'), make)))
  await Promise.all(all.map((template, number) => template?.copyTo(fresh(`copy-${number}`))))
  expect(count).toBe(1)
  const [template] = all
  const rows = join(fresh('copy-0'), 'postgres', 'rows')
  expect(await readFile(rows, 'utf8')).toBe('prepared')
  expect(existsSync(join(fresh('copy-0'), 'postgres', 'port')), 'each server picks its own').toBe(false)

  await writeFile(rows, 'with data of a test')
  await writeFile(join(fresh('copy-0'), 'blob'), 'of a test')
  await writeFile(join(fresh('copy-0'), 'postgres', 'port'), '2')
  await template?.restore(fresh('copy-0'))
  expect(await readFile(rows, 'utf8')).toBe('prepared')
  expect(await readdir(join(fresh('copy-0'), 'postgres'))).toEqual(['port', 'rows'])
  expect(await readdir(fresh('copy-0'))).toEqual(['postgres'])
  expect(await readdir(cache()), 'no lock is left').toHaveLength(1)
})

test('a template is never incomplete, after neither a failure nor a killed process', async () => {
  const broken = await templateFor(services('backup'), async (folder) => {
    await writeFile(join(folder, 'half'), '')
    throw new Error('no disk left')
  })
  await expect(broken?.copyTo(fresh('copy'))).rejects.toThrow('no disk left')
  expect(await readdir(cache())).toEqual([])

  const template = await templateFor(services('backup'), make)
  await template?.copyTo(fresh('copy'))
  const [name = ''] = await readdir(cache())
  await rm(join(cache(), name), { recursive: true })
  await writeFile(join(cache(), `${name}.lock`), JSON.stringify({ pid: process.pid, start: '1' }))
  await mkdir(join(cache(), `${name}.new-999999999`))
  await template?.copyTo(fresh('another'))
  expect(await readdir(cache())).toEqual([name])
  expect(existsSync(join(fresh('another'), 'postgres', 'rows'))).toBe(true)
})

test('only the most recently used templates are kept', async () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
    await (await templateFor(services(name), make))?.copyTo(fresh(name))
  expect(await readdir(cache())).toHaveLength(6)
  await (await templateFor(services('h'), make))?.copyTo(fresh('again'))
  expect(count).toBe(8)
})

test('there is no template where nothing can be cached', async () => {
  await writeFile(join(home, 'file'), '')
  vi.stubEnv('XDG_CACHE_HOME', join(home, 'file'))
  expect(await templateFor(services('backup'), make)).toBeUndefined()
})
