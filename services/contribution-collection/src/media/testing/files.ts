import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

/** Runs `use` with a temporary folder. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-media-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A picture with edges and colours that differs by seed. */
export function picture(width: number, height: number, seed = 0) {
  const colour = `hsl(${(seed * 67) % 360} 60% 45%)`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${colour}"/><circle cx="50%" cy="40%" r="20%" fill="#fe9"/><text x="10%" y="90%" font-size="${height / 8}" fill="#fff">${seed}</text></svg>`
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' })
}

/** Metadata by exiftool, with group names. */
export const exifOf = (content: Uint8Array, name = 'file'): Promise<Record<string, unknown>> =>
  inFolder(async (folder) => {
    const path = join(folder, name)
    await writeFile(path, content)
    const { stdout } = await run('exiftool', ['-json', '-G', '-n', '-a', '-ee', '-U', path], { maxBuffer: 2 ** 26 })
    return (JSON.parse(stdout) as Record<string, unknown>[])[0] ?? {}
  })

/** Adds tags with exiftool. */
export const tagged = (content: Uint8Array, name: string, tags: readonly string[]): Promise<Buffer> =>
  inFolder(async (folder) => {
    const path = join(folder, name)
    await writeFile(path, content)
    await run('exiftool', ['-overwrite_original', '-q', '-m', ...tags, path])
    return readFile(path)
  })

/** A synthetic video or audio file by FFmpeg. */
export const film = (name: string, args: readonly string[]): Promise<Buffer> =>
  inFolder(async (folder) => {
    const path = join(folder, name)
    await run('ffmpeg', ['-hide_banner', '-loglevel', 'error', ...args, path])
    return readFile(path)
  })

export const heic = (jpeg: Uint8Array): Promise<Buffer> =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'a.jpg'), jpeg)
    await run('heif-enc', ['-q', '60', join(folder, 'a.jpg'), '-o', join(folder, 'a.heic')])
    return readFile(join(folder, 'a.heic'))
  })

export const test2seconds = [
  '-f',
  'lavfi',
  '-i',
  'testsrc=duration=2:size=1920x1080:rate=10',
  '-f',
  'lavfi',
  '-i',
  'sine=duration=2',
]
