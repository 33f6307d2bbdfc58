import { mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderMarker } from '@icosa/module'
import { startTestApp } from '@icosa/testing'
import { expect, test } from 'vitest'
import { operating } from '../index.ts'
import { proveShared } from './index.ts'

test('nodes share the folder that the first of them marked, and another one is refused', async () => {
  await using app = await startTestApp({ services: [operating] })
  await using own = await mkdtempDisposable(join(tmpdir(), 'icosa-folder-'))
  await using other = await mkdtempDisposable(join(tmpdir(), 'icosa-folder-'))
  const prove = (folder: string, name = 'ICOSA_X') => proveShared(app.platform.database, name, folder)
  await Promise.all([own.path, own.path, own.path].map((folder) => prove(folder)))
  const id = (await readFile(join(own.path, folderMarker), 'utf8')).trim()
  await expect(prove(other.path)).rejects.toThrow(`ICOSA_X is ${other.path}, which is not the folder`)
  await prove(other.path, 'ICOSA_Y')
  await expect(prove(other.path), 'that of another setting').rejects.toThrow(id)

  // As after an unmount, and as after a loss that the operator accepts.
  await rm(join(own.path, folderMarker))
  await expect(prove(own.path)).rejects.toThrow(`echo ${id} > `)
  await writeFile(join(own.path, folderMarker), `${id}\n`)
  await prove(own.path)
  await prove(own.path, 'ICOSA_Z') // a new database adopts the marker of an existing folder
  await prove(own.path, 'ICOSA_Z')
})
