import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '@icosa/module'
import type { ZipEntry } from '../build/zip.ts'

/** What is never part of a source. */
const left = new Set(['.git', '.hg', '.svn', '.DS_Store', '.icosa', '__pycache__', '.venv'])

const largest = 100 * 1024 ** 2

/** The files of a folder, as they go into a zip. */
export async function filesIn(folder: string): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = []
  let bytes = 0
  const walk = async (at: string): Promise<void> => {
    for (const name of (await readdir(join(folder, at))).sort()) {
      if (left.has(name)) continue
      const path = at === '' ? name : `${at}/${name}`
      const found = await lstat(join(folder, path))
      if (found.isDirectory()) await walk(path)
      if (!found.isFile()) continue // a link, such as those that npm makes for programs
      bytes += found.size
      if (bytes > largest) throw new UsageError(`${folder} has more than 100 MiB: leave out what is not needed.`)
      const mode = found.mode & 0o100 ? 0o100755 : 0o100644
      entries.push({ path, content: await readFile(join(folder, path)), mode })
    }
  }
  await walk('').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') throw new UsageError(`There is no folder '${folder}'.`)
    throw error
  })
  if (entries.length === 0) throw new UsageError(`There is nothing in '${folder}'.`)
  return entries
}

/** What runs it, by its files. */
export function runtimeOf(entries: readonly ZipEntry[]): string {
  return entries.some(({ path }) => path === 'main.py') ? 'python311' : 'nodejs24'
}
