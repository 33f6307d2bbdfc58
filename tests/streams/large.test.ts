import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { testLarge } from './large.ts'

testLarge('a folder', () => {
  const directory = mkdtempSync(join(tmpdir(), 'icosa-large-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  return { directory }
})
