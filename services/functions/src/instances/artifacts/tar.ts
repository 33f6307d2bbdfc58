import { mkdir, open, symlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Failure } from '@icosa/kernel'

export interface UnpackLimits {
  readonly bytes: number
  readonly entries: number
}

const block = 512
/** Limit of a pax or GNU header, which is read into memory. */
const maxHeaderBytes = 65_536
const refuse = (message: string): never => {
  throw new Failure('invalid', `The artifact cannot be unpacked: ${message}`)
}

/**
 * Unpacks an untrusted gzipped tar into an empty folder. Nothing is written outside the folder, and only files, folders and
 * symlinks are created, the latter last, so that nothing is written through one. Returns the size in bytes.
 */
export async function unpack(source: Readable, folder: string, limits: UnpackLimits): Promise<number> {
  const content = pipeline(source, createGunzip(), () => {}) // the reader sees the error
  try {
    return await unpackEntries(reader(content), folder, limits)
  } finally {
    content.destroy()
  }
}

async function unpackEntries(input: Reader, folder: string, limits: UnpackLimits): Promise<number> {
  const links: { readonly path: string; readonly to: string }[] = []
  const createdFolders = new Set<string>()
  let bytes = 0
  let entries = 0
  let next: Attributes = {}
  for (;;) {
    const head = await input.take(block)
    if (head.length < block || head.every((byte) => byte === 0)) break
    const { size, type, ...entry } = header(head)
    bytes += size
    if (bytes > limits.bytes) refuse(`it has more than ${limits.bytes} bytes.`)
    if (++entries > limits.entries) refuse(`it has more than ${limits.entries} entries.`)
    if (type === 'x' || type === 'L' || type === 'K' || type === 'g') {
      if (size > maxHeaderBytes) refuse('a name is too long.')
      const text = (await input.take(padded(size))).subarray(0, size).toString('utf8')
      if (type !== 'g') next = { ...next, ...parseAttributes(type, text) }
      continue
    }
    const path = safePath(next.path ?? entry.path)
    const link = next.link ?? entry.link
    next = {}
    if (type === '2') links.push({ path, to: link })
    else if (type === '5') await makeFolder(folder, path, createdFolders)
    else if (type === '0' || type === '\0' || type === '7') {
      await makeFolder(folder, dirname(path), createdFolders)
      await writeEntry(folder, path, size, entry.isExecutable, input)
      continue
    } else refuse(`'${path}' is neither a file, a folder nor a symlink.`)
    await input.skip(padded(size))
  }
  await makeLinks(folder, links, createdFolders)
  return bytes
}

const padded = (size: number) => Math.ceil(size / block) * block

interface Attributes {
  readonly path?: string
  readonly link?: string
}

/** Parses a pax or GNU header, which has the long name of the next entry. */
function parseAttributes(type: string, text: string): Attributes {
  if (type === 'L') return { path: text.replace(/\0.*$/s, '') }
  if (type === 'K') return { link: text.replace(/\0.*$/s, '') }
  const attributes: { path?: string; link?: string } = {}
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    const length = Number.parseInt(rest.toString('latin1', 0, 12), 10)
    if (!(length > 0) || length > rest.length) refuse('a header is damaged.')
    const [, key, value = ''] = /^\d+ ([^=]*)=(.*)\n$/s.exec(rest.toString('utf8', 0, length)) ?? []
    if (key === 'path') attributes.path = value
    if (key === 'linkpath') attributes.link = value
    if (key === 'size') refuse('an entry is larger than 8 GiB.')
    rest = rest.subarray(length)
  }
  return attributes
}

function header(head: Buffer) {
  const text = (from: number, length: number) => head.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const number = (from: number, length: number) => Number.parseInt(text(from, length).trim() || '0', 8)
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  const size = number(124, 12)
  if (number(148, 8) !== sum || !Number.isSafeInteger(size) || size < 0) refuse('a header is damaged.')
  const prefix = text(257, 5) === 'ustar' && head[262] === 0 ? text(345, 155) : ''
  return {
    path: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100),
    size,
    type: String.fromCharCode(head[156] ?? 0),
    link: text(157, 100),
    isExecutable: (number(100, 8) & 0o111) !== 0,
  }
}

function safePath(path: string): string {
  const clean = normalize(path).replace(/\/$/, '')
  const parts = clean.split('/')
  if (path === '' || path.startsWith('/') || path.includes('\0') || parts.includes('..'))
    refuse(`'${path}' is outside its folder.`)
  if (path.length > 1_024 || parts.some((part) => Buffer.byteLength(part) > 255)) refuse(`'${path}' is too long.`)
  return clean
}

/** Refuses a duplicate path without naming the folder on this machine. */
const refuseDuplicate = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST' || error.code === 'ENOTDIR') return refuse(`'${path}' is in it twice.`)
  throw error
}

async function makeFolder(folder: string, path: string, createdFolders: Set<string>): Promise<void> {
  if (path === '.' || createdFolders.has(path)) return
  await mkdir(join(folder, path), { recursive: true, mode: 0o755 }).catch(refuseDuplicate(path))
  createdFolders.add(path)
}

async function writeEntry(
  folder: string,
  path: string,
  size: number,
  isExecutable: boolean,
  input: Reader,
): Promise<void> {
  const file = await open(join(folder, path), 'wx', isExecutable ? 0o755 : 0o644).catch(refuseDuplicate(path))
  try {
    for (let remaining = size; remaining > 0; ) {
      const chunk = await input.some(remaining)
      await file.write(chunk)
      remaining -= chunk.length
    }
  } finally {
    await file.close()
  }
  await input.skip(padded(size) - size)
}

async function makeLinks(
  folder: string,
  links: readonly { readonly path: string; readonly to: string }[],
  createdFolders: Set<string>,
): Promise<void> {
  const linkPaths = new Set(links.map(({ path }) => path))
  for (const { path, to } of links) {
    for (let above = dirname(path); above !== '.'; above = dirname(above))
      if (linkPaths.has(above)) refuse(`'${path}' is inside of a symlink.`)
    if (to.startsWith('/') || to === '' || normalize(join(dirname(path), to)).startsWith('..'))
      refuse(`the symlink '${path}' is outside its folder.`)
    await makeFolder(folder, dirname(path), createdFolders)
    await symlink(to, join(folder, path)).catch(refuseDuplicate(path))
  }
}

interface Reader {
  /** Reads exactly `bytes`, or fewer at the end, into memory. */
  take(bytes: number): Promise<Buffer>
  /** Reads between one byte and `bytes`. */
  some(bytes: number): Promise<Buffer>
  skip(bytes: number): Promise<void>
}

function reader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async () => {
    const { value, done } = await chunks.next().catch((error) => refuse(error.message))
    if (!done) rest = rest.length > 0 ? Buffer.concat([rest, value]) : value
    return !done
  }
  const cut = (bytes: number) => {
    const chunk = rest.subarray(0, bytes)
    rest = rest.subarray(bytes)
    return chunk
  }
  return {
    async take(bytes) {
      // Every chunk is copied together with those before it, which is quadratic: fit for headers only.
      if (bytes > maxHeaderBytes) throw new Error(`${bytes} bytes are too many to be collected.`)
      while (rest.length < bytes && (await more())) {}
      return cut(bytes)
    },
    async some(bytes) {
      if (rest.length === 0 && !(await more())) refuse('it ends too early.')
      return cut(bytes)
    },
    async skip(bytes) {
      for (let remaining = bytes; remaining > 0 && (rest.length > 0 || (await more())); )
        remaining -= cut(remaining).length
    },
  }
}
