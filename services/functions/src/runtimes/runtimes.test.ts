import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRuntimes, runtimeNames, runtimes } from './index.ts'

test('a node says what it has, and what is missing with what to do about it', async () => {
  const found = await runtimes()
  expect(found.map(({ name }) => name)).toEqual(runtimeNames)
  expect(found[0]).toEqual({ name: 'nodejs24', version: process.versions.node })
  expect(found[2], 'run scripts/setup').toMatchObject({ name: 'python311', version: expect.stringMatching(/^3\.11\./) })
})

test('a binary that is not what its setting says is named', async () => {
  const folder = mkdtempSync('/tmp/runtimes-')
  const fake = join(folder, 'node')
  writeFileSync(fake, '#!/bin/sh\necho v22.99.0\n', { mode: 0o755 })
  const hidden = { name: 'nodejs22', problem: expect.stringContaining(`chmod o+rx '${folder}'`) }
  expect((await runtimes({ nodejs22: fake }))[1], 'its folder is closed to others').toEqual(hidden)
  chmodSync(folder, 0o755)
  expect((await runtimes({ nodejs22: fake }))[1]).toEqual({ name: 'nodejs22', version: '22.99.0' })
  const wrong = await runtimes({ nodejs22: process.execPath })
  expect(wrong[1]).toMatchObject({
    problem: expect.stringContaining(`is not Node 22: it says v${process.versions.node}`),
  })
  const none = openRuntimes(folder, { nodejs22: '/nowhere' }).open('nodejs22')
  await expect(none).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('cannot be run') })
  await expect(openRuntimes(folder).open('cobol')).rejects.toThrow(/choose one of nodejs24/)
  rmSync(folder, { recursive: true })
})
