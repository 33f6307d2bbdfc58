import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { missing, programFor } from './programs.ts'

test('ignores programs older than the server, and names the package in the error', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-programs-'))
  try {
    const path = join(folder, 'pg_dump')
    await writeFile(path, '#!/bin/sh\necho "pg_dump (PostgreSQL) 16.3 (Debian 16.3-1)"\n', { mode: 0o755 })
    expect(await programFor('pg_dump', 15, folder)).toBe(path)
    expect(await programFor('pg_dump', 16, folder)).toBe(path)
    expect(await programFor('pg_dump', 17, folder)).toBeUndefined()
    expect(await programFor('pg_restore', 15, folder)).toBeUndefined()
    expect(() => missing('pg_dump', 17)).toThrow(/PostgreSQL 17.*postgresql-client/)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
