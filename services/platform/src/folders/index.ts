import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, Failure, privateFile, privateFolder } from '@icosa/kernel'
import { folderMarker } from '@icosa/module'
import { folderId, recordFolder } from './store.ts'

/**
 * Verifies that all nodes share a folder. The first node writes a marker with a random id and records the id in the database;
 * a node with another marker, or none, is refused. Without a record an existing marker is adopted.
 */
export async function proveShared(database: Database, name: string, folder: string): Promise<void> {
  await mkdir(folder, privateFolder)
  const file = join(folder, folderMarker)
  if ((await folderId(database, name)) === undefined) {
    await writeFile(file, `${randomUUID()}\n`, { ...privateFile, flag: 'wx', flush: true }).catch(unlessExists)
    await recordFolder(database, name, (await readFile(file, 'utf8')).trim())
  }
  const [id, marker] = [await folderId(database, name), await readFile(file, 'utf8').catch(() => '')]
  if (marker.trim() !== id)
    throw new Failure(
      'conflict',
      `${name} is ${folder}, which is not the folder that the other nodes use: its file ${folderMarker} does not contain ${id}. Mount the same folder on all nodes, or use a bucket. If the folder was lost for good and you accept the loss, write the id into a new one: echo ${id} > ${file}`,
    )
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
