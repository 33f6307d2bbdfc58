import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import type { Bind, Sandbox } from '@icosa/sandbox'
import { dialIn } from '../egress/dial-in.ts'
import { unpack } from '../instances/artifacts/tar.ts'
import type { Runtime } from '../runtimes/index.ts'
import { exists } from './exists.ts'
import { buildFailure } from './refusal.ts'
import { unpackLimits } from './unpack.ts'

export interface BuildStep {
  readonly sandbox: Sandbox
  readonly runtime: Runtime
  readonly environment: Readonly<Record<string, string>>
  readonly timeLimitMs: number
  readonly signal: AbortSignal
  /** Receives the lines that the step prints. */
  report(line: string): void
}

export interface PythonIndex {
  readonly url: string
  /** Whether packages may run code to be built, as source distributions do. */
  readonly allowsScripts: boolean
  /** Folder of this tenant's installed packages, by hash. */
  readonly cache: string
  /** Takes the connections of pip, which reach the index only. */
  accept(socket: Socket): void
}

/** Installs the packages of requirements.txt into the source with pip, in the sandbox. False if there is no such file. */
export async function installPython(folder: string, index: PythonIndex, step: BuildStep): Promise<boolean> {
  const requirements = await readFile(join(folder, 'requirements.txt'), 'utf8').catch(() => undefined)
  if (requirements === undefined || /^[\s#]*$/.test(requirements)) return false
  const { url, allowsScripts, cache } = index
  const key = JSON.stringify([step.runtime.version, url, allowsScripts, requirements, step.environment])
  const cached = join(cache, `${createHash('sha256').update(key).digest('hex')}.tgz`)
  if (await exists(cached)) step.report('Packages of requirements.txt are unchanged: using the installed ones.')
  else {
    const [program = ''] = step.runtime.argv({ memoryBytes: 0 })
    const argv = [program, '-B', '-u', '/runtime/install.py', url, String(allowsScripts)]
    const file = join(folder, '..', 'packages.tgz')
    await output(argv, folder, file, step, index)
    await mkdir(cache, { recursive: true, mode: 0o700 })
    const part = `${cached}.${randomUUID()}`
    await copyFile(file, part)
    await rename(part, cached)
    await prune(cache)
  }
  await unpackInto(cached, folder)
  return true
}

/** Runs the script `gcp-build` of package.json in the sandbox, which replaces the source by its result. */
export async function runBuildScript(folder: string, step: BuildStep): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}')
  if (typeof Object(Object(JSON.parse(text)).scripts)['gcp-build'] !== 'string') return
  const file = join(folder, '..', 'built.tgz')
  await output(['/node', '--max-old-space-size=700', '/runtime/build.cjs'], folder, file, step)
  await rm(folder, { recursive: true })
  await mkdir(folder, { mode: 0o755 })
  await unpackInto(file, folder)
}

const maxCached = 20

/** Keeps a tenant's newest installations on this node. */
async function prune(cache: string): Promise<void> {
  const files = await Promise.all(
    (await readdir(cache)).map(async (name) => ({
      path: join(cache, name),
      at: (await stat(join(cache, name))).mtimeMs,
    })),
  )
  const old = files.sort((a, b) => b.at - a.at).slice(maxCached)
  await Promise.all(old.map(({ path }) => rm(path, { force: true })))
}

const unpackInto = (file: string, folder: string) =>
  unpack(createReadStream(file), folder, { bytes: unpackLimits.bytes, entries: unpackLimits.files })

/** Runs a program, and writes its stdout to a file. */
async function output(
  argv: readonly string[],
  folder: string,
  to: string,
  { sandbox, runtime, environment, timeLimitMs, signal, report }: BuildStep,
  index?: PythonIndex,
): Promise<void> {
  const file = createWriteStream(to, { mode: 0o600 })
  let rest = ''
  const tail: string[] = []
  const binds: Bind[] = [...runtime.binds, { from: folder, to: '/workspace' }]
  const limits = { memoryBytes: 1_024 * 2 ** 20, processes: 128, diskBytes: 640 * 2 ** 20, wallMs: timeLimitMs }
  const onOutput = (chunk: Buffer, from: 'stdout' | 'stderr') => {
    if (from === 'stdout') return void file.write(chunk)
    const lines = (rest + chunk.toString('utf8')).split('\n')
    rest = (lines.pop() ?? '').slice(0, 10_000)
    for (const line of lines.filter((text) => text.trim() !== '')) {
      report(line)
      tail.push(line.slice(0, 300))
      if (tail.length > 5) tail.shift()
    }
  }
  const env = {
    ...environment,
    PATH: '/usr/bin:/bin',
    HOME: '/tmp',
    LANG: 'C.UTF-8',
    PLATFORM_ADDRESS: addressOf(index),
  }
  const running = await sandbox.start(
    {
      argv,
      binds,
      env,
      cwd: '/tmp',
      listens: index !== undefined,
      limits: { ...limits, outputBytes: unpackLimits.bytes },
    },
    { signal, onOutput },
  )
  if (index) dialIn(running, index.accept)
  const { ended, code } = await running.done
  file.end()
  await finished(file)
  signal.throwIfAborted()
  if (ended === 'time') throw buildFailure('BuildTimeout', `The build took longer than ${timeLimitMs / 1_000} s.`)
  if (ended !== 'exit' || code !== 0)
    throw buildFailure(
      'MissingDependencies',
      `The build failed (${ended === 'exit' ? `code ${code}` : `limit of ${ended}`}):\n${tail.join('\n')}`,
    )
}

/** The index may be on the loopback of the node, which is not that of the sandbox. */
function addressOf(index: PythonIndex | undefined): string {
  if (!index) return ''
  const { hostname, port, protocol } = new URL(index.url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
