import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** Files of a token by name, in base64. */
export type Files = Readonly<Record<string, string>>

/** Folder of a SoftHSM token, used by its process only. */
export interface TokenFolder {
  /** Returns files created since `before`. */
  newSince(before: ReadonlySet<string>): Files
  names(): Set<string>
  /** Adds the files of a key, and makes the library reload. */
  put(files: Files): void
  /** Opens files, and returns a function that overwrites them after the library has deleted them. */
  zeroiser(names: Iterable<string>): () => void
}

const mode = 0o600
const isObject = (name: string) => name.endsWith('.object') && name !== 'token.object'

/** Configures SoftHSM to use this folder only. */
export function prepareFolder(root: string): void {
  mkdirSync(join(root, 'tokens'), { recursive: true, mode: 0o700 })
  const lines = [`directories.tokendir = ${root}/tokens`, 'objectstore.backend = file', 'log.level = ERROR', '']
  writeFileSync(join(root, 'softhsm2.conf'), lines.join('\n'), { mode })
}

/** Writes the files of a token before the library opens it. */
export function restoreToken(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const [folder = '', name = ''] = path.split('/')
    const at = join(root, 'tokens', folder)
    mkdirSync(at, { recursive: true, mode: 0o700 })
    writeFileSync(join(at, name), Buffer.from(content, 'base64'), { mode })
    writeFileSync(join(at, 'token.lock'), '', { mode })
    writeFileSync(join(at, 'generation'), generationOf(1n), { mode })
  }
}

/** Returns the files of a token without its keys. */
export function tokenFiles(root: string): Files {
  const folder = onlyFolder(root)
  return { [`${folder}/token.object`]: readFileSync(join(root, 'tokens', folder, 'token.object')).toString('base64') }
}

export function openFolder(root: string): TokenFolder {
  const at = join(root, 'tokens', onlyFolder(root))
  const names = () => new Set(readdirSync(at).filter(isObject))
  return {
    names,
    newSince: (before) =>
      Object.fromEntries(
        [...names()]
          .filter((name) => !before.has(name))
          .map((name) => [name, readFileSync(join(at, name)).toString('base64')]),
      ),
    put(files) {
      for (const [name, content] of Object.entries(files)) {
        if (!isObject(name) || name.includes('/')) continue
        writeFileSync(join(at, name), Buffer.from(content, 'base64'), { mode })
        writeFileSync(join(at, name.replace(/object$/, 'lock')), '', { mode }) // SoftHSM needs it to delete the object
      }
      // SoftHSM reloads the folder when this number increases.
      const generation = join(at, 'generation')
      writeFileSync(generation, generationOf(readFileSync(generation).readBigUInt64BE() + 1n), { mode })
    },
    zeroiser(files) {
      const open = [...files].flatMap((name) => {
        try {
          return [openSync(join(at, name), 'r+')]
        } catch {
          return [] // already deleted
        }
      })
      return () => open.forEach(overwrite)
    },
  }
}

/** Overwrites and deletes all files of a folder. */
export function zeroiseFolder(root: string): void {
  let entries: readonly { readonly isFile: () => boolean; readonly parentPath: string; readonly name: string }[] = []
  try {
    entries = readdirSync(root, { recursive: true, withFileTypes: true })
  } catch {
    return // there is no such folder
  }
  for (const entry of entries) {
    if (!entry.isFile()) continue
    try {
      overwrite(openSync(join(entry.parentPath, entry.name), 'r+'))
    } catch {} // deleted below anyway
  }
  rmSync(root, { recursive: true, force: true })
}

function overwrite(file: number): void {
  try {
    const { size } = fstatSync(file)
    writeSync(file, Buffer.alloc(size), 0, size, 0)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function onlyFolder(root: string): string {
  const [folder, ...others] = readdirSync(join(root, 'tokens'))
  if (folder === undefined || others.length > 0) throw new Error(`There must be one token in ${root}.`)
  return folder
}

function generationOf(number: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(number)
  return bytes
}
