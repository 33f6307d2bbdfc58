import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { programPath } from './programs.ts'

const { PATH } = process.env
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-programs-'))
  for (const name of ['plain', 'restic.exe', 'npm.cmd']) {
    await writeFile(join(folder, name), '')
    await chmod(join(folder, name), 0o755)
  }
  process.env.PATH = folder
})
afterAll(async () => {
  process.env.PATH = PATH
  await rm(folder, { recursive: true, force: true })
})

test('finds a program by name, on Windows with the extension of its file', async () => {
  expect(await programPath('plain', 'linux')).toBe(join(folder, 'plain'))
  expect(await programPath('plain', 'win32')).toBeUndefined()
  expect(await programPath('restic', 'win32')).toBe(join(folder, 'restic.exe'))
  expect(await programPath('npm', 'win32')).toBe(join(folder, 'npm.cmd'))
  expect(await programPath('restic', 'darwin')).toBeUndefined()
})
