import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Failure, type GuardedFetch } from '@icosa/kernel'
import { unpack } from '../instances/artifacts/tar.ts'
import { exists } from './exists.ts'
import { type LockedPackage, lockedPackages, refuseLock } from './lock.ts'
import { unpackLimits } from './unpack.ts'

export interface Registry {
  /** Such as `https://registry.example.com/npm`. */
  readonly url: string
  readonly fetch: GuardedFetch
  readonly signal: AbortSignal
}

/** Packages fetched in parallel. */
const concurrency = 6
const maxPackageBytes = 100 * 1024 ** 2

/**
 * Installs the packages of package-lock.json into node_modules, unless the source has node_modules. Neither npm nor install
 * scripts run: tarballs are fetched by name and version, verified against their hashes and unpacked.
 */
export async function install(folder: string, { url, fetch, signal }: Registry): Promise<void> {
  const [lock, manifest] = await Promise.all(
    ['package-lock.json', 'package.json'].map((name) => readFile(join(folder, name), 'utf8').catch(() => undefined)),
  )
  if (lock === undefined || manifest === undefined || (await exists(join(folder, 'node_modules')))) return
  const packages = lockedPackages(lock, manifest)
  const staging = join(folder, '..', 'packages')
  let bytes = 0
  const queue = packages.entries()
  const worker = async () => {
    for (const [index, entry] of queue) {
      signal.throwIfAborted()
      bytes += await unpackInto(entry, await fetchTarball(entry, url, fetch, signal), join(staging, String(index)))
      if (bytes > unpackLimits.bytes)
        refuseLock(`The packages of package-lock.json have more than ${unpackLimits.bytes / 1024 ** 2} MiB.`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  // Outer packages first: the others are nested in them.
  const inOrder = [...packages.entries()].sort(([, a], [, b]) => a.path.length - b.path.length)
  for (const [index, { path }] of inOrder) await place(join(staging, String(index)), join(folder, path))
  await rm(staging, { recursive: true, force: true })
}

async function fetchTarball(
  { name, version, integrity }: LockedPackage,
  url: string,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<Buffer> {
  const file = `${name.replace(/^@[^/]*\//, '')}-${version.replace(/\+.*$/, '')}.tgz`
  const address = `${url.replace(/\/$/, '')}/${name}/-/${file}`
  const { status, body } = await fetch(address, { signal, maxBytes: maxPackageBytes }).catch((error: Error) => {
    if (signal.aborted) throw error
    return refuseLock(`${name} ${version} could not be fetched: ${error.message}`)
  })
  if (status !== 200) refuseLock(`The registry of this platform returned ${status} for ${name} ${version}.`)
  if (!isIntact(body, integrity))
    refuseLock(`${name} ${version} of the registry does not match package-lock.json: its hash differs.`)
  return Buffer.from(body)
}

/** Compares the strongest of the listed hashes. */
function isIntact(bytes: Uint8Array, integrity: string): boolean {
  const hashes = integrity.split(/\s+/).flatMap((entry) => /^(sha(?:256|384|512))-([^?]+)/.exec(entry) ?? [])
  const strongest = ['sha512', 'sha384', 'sha256'].find((algorithm) => hashes.includes(algorithm)) ?? 'sha512'
  const expected = hashes[hashes.indexOf(strongest) + 1]
  return createHash(strongest).update(bytes).digest('base64') === expected
}

async function unpackInto({ name, version }: LockedPackage, tarball: Buffer, into: string): Promise<number> {
  await mkdir(into, { recursive: true, mode: 0o755 })
  const limits = { bytes: unpackLimits.bytes, entries: unpackLimits.files }
  return unpack(Readable.from([tarball]), into, limits).catch((error: Error) => {
    if (!(error instanceof Failure)) throw error
    return refuseLock(`${name} ${version} cannot be unpacked (${error.message})`)
  })
}

/** The archive of a package has one top-level folder, of any name. */
async function place(from: string, to: string): Promise<void> {
  const [top] = await readdir(from)
  if (top === undefined) return
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  await rm(to, { recursive: true, force: true })
  await rename(join(from, top), to)
}
