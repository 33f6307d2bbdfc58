import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '@icosa/module'
import type { ZipEntry } from '../build/zip.ts'

/** Never part of a source. */
export const ignored = new Set(['.git', '.hg', '.svn', '.DS_Store', '.icosa', '__pycache__', '.venv'])

const maxBytes = 100 * 1024 ** 2

export async function filesIn(folder: string): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = []
  let bytes = 0
  const walk = async (at: string): Promise<void> => {
    for (const name of (await readdir(join(folder, at))).sort()) {
      if (ignored.has(name)) continue
      const path = at === '' ? name : `${at}/${name}`
      const stats = await lstat(join(folder, path))
      if (stats.isDirectory()) await walk(path)
      if (!stats.isFile()) continue // a link, such as in node_modules/.bin
      bytes += stats.size
      if (bytes > maxBytes) throw new UsageError(`${folder} has more than 100 MiB: remove unneeded files.`)
      const mode = stats.mode & 0o100 ? 0o100755 : 0o100644
      entries.push({ path, content: await readFile(join(folder, path)), mode })
    }
  }
  await walk('').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new UsageError(`There is no folder '${folder}'.`)
    throw error
  })
  if (entries.length === 0) throw new UsageError(`The folder '${folder}' is empty.`)
  return entries
}

/** Guesses the runtime from the files. */
export function runtimeOf(entries: readonly ZipEntry[]): string {
  return entries.some(({ path }) => path === 'main.py') ? 'python311' : 'nodejs24'
}
