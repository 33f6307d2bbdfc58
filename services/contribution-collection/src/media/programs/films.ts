import { createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Failure, type FairSemaphore, fairSemaphore, machineClock } from '@icosa/kernel'
import { type Ended, type Program, type RuntimeName, systemBinds } from '@icosa/sandbox'
import { lazySandbox } from '@icosa/sandbox/lazy'
import { type Probe, readProbe } from './probe.ts'

export interface FilmsOptions {
  readonly runtime?: RuntimeName | undefined
  /** Directory of the sandbox, and of films while they are read. */
  readonly state: string
  readonly concurrency?: number
  readonly maxMs?: number
  readonly onError: (error: unknown) => void
}

/** A video or audio file, on local disk while it is processed. */
export interface Film {
  probe(): Promise<Probe>
  /** A picture that libvips does not read, as JPEG: HEIC, of which only its patent holders may distribute a decoder. */
  still(): Promise<Buffer>
  /** One frame as JPEG, not from the very start. */
  poster(probe: Probe): Promise<Buffer>
  /** Streams a small rendition for browsers; `done` rejects on failure. */
  rendition(probe: Probe, onProgress: (fraction: number) => void): Rendition
}

export interface Rendition {
  readonly body: Readable
  readonly done: Promise<void>
}

/** Reads video and audio with FFmpeg, each file in its own sandbox. */
export interface Films {
  /** `content` is called when it is the key's turn, since an open stream keeps a file or a connection open. */
  open<T>(
    fairnessKey: string,
    content: () => Promise<Readable>,
    use: (film: Film) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  readonly load: FairSemaphore['load']
  close(): Promise<void>
}

const megabyte = 2 ** 20
const limits = { memoryBytes: 768 * megabyte, processes: 64, diskBytes: 128 * megabyte, outputBytes: 64 * megabyte }
const waiting = { maxWaiting: 200, waitMs: 600_000 }
const input = '/media'
const quiet = ['-nostdin', '-hide_banner', '-loglevel', 'error']
/** FFmpeg follows playlists: it may open only files, and there is only this one. */
const safe = ['-protocol_whitelist', 'file,pipe', '-i', input]

/** Printed once the program runs: earlier errors are not the file's fault. */
const started = 'started'

/** Exit codes of a shell for a missing program or library. */
const notFound = [126, 127]

/** Debian's linear algebra libraries, which FFmpeg needs, are found through it. */
const alternatives = () =>
  existsSync('/etc/alternatives') ? [{ from: '/etc/alternatives', to: '/etc/alternatives' }] : []

const overLimits: Readonly<Partial<Record<Ended, string>>> = {
  memory: 'Reading it needs too much memory.',
  output: 'Its rendition is too large.',
  time: 'Reading it takes too long.',
}

export function openFilms({ runtime, state, concurrency = 1, maxMs = 1_800_000, onError }: FilmsOptions): Films {
  const gate = fairSemaphore(concurrency, waiting)
  const sandbox = lazySandbox({ ...(runtime && { runtime }), state: join(state, 'sandbox'), onError })

  const films = async () => {
    const path = join(state, 'films')
    await mkdir(path, { recursive: true, mode: 0o711 })
    await removeAbandoned(path)
    return await realpath(path)
  }

  const filmAt = (path: string, signal: AbortSignal | undefined): Film => {
    const program = (argv: readonly string[], wallMs: number): Program => ({
      argv: ['/bin/sh', '-c', `echo ${started} >&2; exec "$@"`, 'sh', ...argv],
      env: { PATH: '/usr/bin' },
      binds: [...systemBinds(), ...alternatives(), { from: path, to: input }],
      limits: { ...limits, wallMs },
    })
    const run = async (argv: readonly string[]): Promise<Buffer> => {
      const result = await (await sandbox.open()).run(program(argv, 120_000), { ...(signal && { signal }) })
      demandSuccess(result)
      return result.stdout
    }
    return {
      async probe() {
        const output = await run([
          '/usr/bin/ffprobe',
          '-v',
          'error',
          '-protocol_whitelist',
          'file',
          '-show_format',
          '-show_streams',
          '-of',
          'json',
          input,
        ])
        return readProbe(output.toString('utf8'))
      },
      still: () => run(['/bin/sh', '-c', `heif-convert -q 95 ${input} /tmp/still.jpg >&2 && cat /tmp/still.jpg`]),
      poster: ({ duration }) =>
        run(['/usr/bin/ffmpeg', ...quiet, '-ss', String(Math.min(1, duration / 3)), ...safe, ...posterOutput]),
      rendition(probe, onProgress) {
        const body = new PassThrough()
        const done = streamed(
          program(['/usr/bin/ffmpeg', ...quiet, ...safe, ...renditionOutput(probe)], maxMs),
          body,
          (seconds) => onProgress(probe.duration > 0 ? Math.min(1, seconds / probe.duration) : 0),
        )
        done.catch((error) => body.destroy(error))
        return { body, done }
      },
    }

    async function streamed(command: Program, body: PassThrough, onSeconds: (seconds: number) => void): Promise<void> {
      let errorText = ''
      const onOutput = (chunk: Buffer, from: 'stdout' | 'stderr') => {
        if (from === 'stdout') return void body.write(chunk)
        const text = chunk.toString('utf8')
        const times = [...text.matchAll(/out_time_us=(\d+)/g)]
        const last = times.at(-1)?.[1]
        if (last !== undefined) onSeconds(Number(last) / 1e6)
        else if (errorText.length < 2_000) errorText += text
      }
      const running = await (await sandbox.open()).start(command, { ...(signal && { signal }), onOutput })
      const { ended, code } = await running.done
      demandSuccess({ ended, code, stderr: Buffer.from(errorText) })
      body.end()
    }
  }

  return {
    open: (fairnessKey, content, use, signal) =>
      gate.run(fairnessKey, async () => {
        const folder = await mkdtemp(join(await films(), 'film-'))
        try {
          await chmod(folder, 0o711) // the sandboxed program runs as nobody
          const path = join(folder, 'media')
          await pipeline(await content(), createWriteStream(path, { mode: 0o644 }), { ...(signal && { signal }) })
          return await use(filmAt(path, signal))
        } finally {
          await rm(folder, { recursive: true, force: true })
        }
      }),
    load: () => gate.load(),
    async close() {
      await sandbox.close()
    },
  }
}

const dayMs = 86_400_000

/** Deletes files of killed nodes. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats && stats.mtimeMs < machineClock.now().getTime() - dayMs) await rm(path, { recursive: true, force: true })
  }
}

function demandSuccess({ ended, code, stderr }: { ended: Ended; code: number; stderr: Buffer }): void {
  const limit = overLimits[ended]
  if (limit) throw new Failure('invalid', `The media file could not be processed. ${limit}`)
  if (ended === 'stopped') throw new Failure('unavailable', 'Reading the media file was interrupted.')
  const lines = stderr.toString('utf8').trim().split('\n')
  const errorText = lines.at(-1) ?? ''
  if (code !== 0 && (lines[0] !== started || notFound.includes(code)))
    throw new Failure('unavailable', `Media files cannot be read on this node: ${errorText.slice(0, 200)}`)
  if (code !== 0) throw new Failure('invalid', `The media file cannot be read: ${errorText.slice(0, 200)}`)
}

const box = "scale='min(1280,iw)':'min(720,ih)':force_original_aspect_ratio=decrease:force_divisible_by=2"
const posterOutput = [
  '-frames:v',
  '1',
  '-vf',
  box,
  '-map_metadata',
  '-1',
  '-f',
  'image2pipe',
  '-c:v',
  'mjpeg',
  '-q:v',
  '3',
  '-huffman',
  'default',
  'pipe:1',
]

/** Without camera metadata, and fragmented, so that it can be streamed. */
function renditionOutput({ hasVideo }: Probe): string[] {
  const picture = [
    '-map',
    '0:v:0',
    '-vf',
    `${box},format=yuv420p`,
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-crf',
    '26',
    '-maxrate',
    '2500k',
    '-bufsize',
    '5000k',
  ]
  const sound = ['-map', '0:a:0?', '-c:a', 'aac', '-b:a', '96k', '-ac', '2']
  const file = [
    '-map_metadata',
    '-1',
    '-map_chapters',
    '-1',
    '-fflags',
    '+bitexact',
    '-movflags',
    'frag_keyframe+empty_moov+default_base_moof',
  ]
  return [
    ...(hasVideo ? picture : ['-vn']),
    ...sound,
    ...file,
    '-threads',
    '1',
    '-progress',
    'pipe:2',
    '-f',
    'mp4',
    'pipe:1',
  ]
}
