import { mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderMarker } from '@icosa/module'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { operating } from '../index.ts'
import { proveShared } from './index.ts'

test('nodes accept the folder marked by the first of them, and refuse another', async () => {
  await using app = await startTestApp({ services: [operating] })
  await using own = await mkdtempDisposable(join(tmpdir(), 'icosa-folder-'))
  await using other = await mkdtempDisposable(join(tmpdir(), 'icosa-folder-'))
  const check = (folder: string, name = 'ICOSA_X') => proveShared(app.platform.database, name, folder)
  await Promise.all([own.path, own.path, own.path].map((folder) => check(folder)))
  const id = (await readFile(join(own.path, folderMarker), 'utf8')).trim()
  await expect(check(other.path)).rejects.toThrow(`ICOSA_X is ${other.path}, which is not the folder`)
  await check(other.path, 'ICOSA_Y')
  await expect(check(other.path), 'the marker of another setting').rejects.toThrow(id)

  // Unmounted; then lost, and the loss accepted by the operator.
  await rm(join(own.path, folderMarker))
  await expect(check(own.path)).rejects.toThrow(`echo ${id} > `)
  await writeFile(join(own.path, folderMarker), `${id}\n`)
  await check(own.path)
  await check(own.path, 'ICOSA_Z') // a new database adopts the marker of an existing folder
  await check(own.path, 'ICOSA_Z')
})
