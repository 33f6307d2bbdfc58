import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRuntimes, runtimeNames, runtimes } from './index.ts'

test('available and missing runtimes are listed', async () => {
  const list = await runtimes()
  expect(list.map(({ name }) => name)).toEqual(runtimeNames)
  expect(list[0]).toEqual({ name: 'nodejs24', version: process.versions.node })
  expect(list[2], 'run scripts/setup').toMatchObject({ name: 'python311', version: expect.stringMatching(/^3\.11\./) })
})

test('a wrong or inaccessible binary is reported', async () => {
  const folder = mkdtempSync('/tmp/runtimes-')
  const fake = join(folder, 'node')
  writeFileSync(fake, '#!/bin/sh\necho v22.99.0\n', { mode: 0o755 })
  const hidden = { name: 'nodejs22', problem: expect.stringContaining(`chmod o+rx '${folder}'`) }
  expect((await runtimes({ nodejs22: fake }))[1], 'its folder is not accessible').toEqual(hidden)
  chmodSync(folder, 0o755)
  expect((await runtimes({ nodejs22: fake }))[1]).toEqual({ name: 'nodejs22', version: '22.99.0' })
  const mismatch = await runtimes({ nodejs22: process.execPath })
  expect(mismatch[1]).toMatchObject({
    problem: expect.stringContaining(`is not Node 22: it is v${process.versions.node}`),
  })
  const missing = openRuntimes(folder, { nodejs22: '/nowhere' }).open('nodejs22')
  await expect(missing).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('cannot be run'),
  })
  await expect(openRuntimes(folder).open('cobol')).rejects.toThrow(/choose one of nodejs24/)
  rmSync(folder, { recursive: true })
})
