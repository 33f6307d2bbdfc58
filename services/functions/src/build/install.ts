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

/** So many packages are on their way at once. */
const atOnce = 6
const maxPackageBytes = 100 * 1024 ** 2

/**
 * Puts into node_modules what package-lock.json names, if the source does not bring node_modules itself. No program of a package
 * is run, neither npm nor what would run after an installation: files are fetched by name and version, compared with their hashes
 * and unpacked.
 */
export async function install(folder: string, { url, fetch, signal }: Registry): Promise<void> {
  const [lock, manifest] = await Promise.all(
    ['package-lock.json', 'package.json'].map((name) => readFile(join(folder, name), 'utf8').catch(() => undefined)),
  )
  if (lock === undefined || manifest === undefined || (await exists(join(folder, 'node_modules')))) return
  const packages = lockedPackages(lock, manifest)
  const staging = join(folder, '..', 'packages')
  let bytes = 0
  const left = packages.entries()
  const worker = async () => {
    for (const [index, one] of left) {
      signal.throwIfAborted()
      bytes += await unpacked(one, await fetched(one, url, fetch, signal), join(staging, String(index)))
      if (bytes > unpackLimits.bytes)
        refuseLock(`What package-lock.json names has more than ${unpackLimits.bytes / 1024 ** 2} MiB.`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  // The outer ones first: the others go inside of them.
  const inOrder = [...packages.entries()].sort(([, a], [, b]) => a.path.length - b.path.length)
  for (const [index, { path }] of inOrder) await place(join(staging, String(index)), join(folder, path))
  await rm(staging, { recursive: true, force: true })
}

async function fetched(one: LockedPackage, url: string, fetch: GuardedFetch, signal: AbortSignal): Promise<Buffer> {
  const { name, version, integrity } = one
  const file = `${name.replace(/^@[^/]*\//, '')}-${version.replace(/\+.*$/, '')}.tgz`
  const address = `${url.replace(/\/$/, '')}/${name}/-/${file}`
  const { status, body } = await fetch(address, { signal, maxBytes: maxPackageBytes }).catch((error: Error) => {
    if (signal.aborted) throw error
    return refuseLock(`${name} ${version} could not be fetched: ${error.message}`)
  })
  if (status !== 200) refuseLock(`The registry of this platform answered ${status} for ${name} ${version}.`)
  if (!isWhole(body, integrity))
    refuseLock(`${name} ${version} of the registry is not what package-lock.json was written for: its hash differs.`)
  return Buffer.from(body)
}

/** By the strongest of the hashes that are named. */
function isWhole(bytes: Uint8Array, integrity: string): boolean {
  const named = integrity.split(/\s+/).flatMap((one) => /^(sha(?:256|384|512))-([^?]+)/.exec(one) ?? [])
  const strongest = ['sha512', 'sha384', 'sha256'].find((algorithm) => named.includes(algorithm)) ?? 'sha512'
  const expected = named[named.indexOf(strongest) + 1]
  return createHash(strongest).update(bytes).digest('base64') === expected
}

async function unpacked({ name, version }: LockedPackage, tarball: Buffer, into: string): Promise<number> {
  await mkdir(into, { recursive: true, mode: 0o755 })
  const limits = { bytes: unpackLimits.bytes, entries: unpackLimits.files }
  return unpack(Readable.from([tarball]), into, limits).catch((error: Error) => {
    if (!(error instanceof Failure)) throw error
    return refuseLock(`${name} ${version} cannot be unpacked (${error.message})`)
  })
}

/** A package lies in a folder of its own inside its archive, whatever that is called. */
async function place(from: string, to: string): Promise<void> {
  const [inside] = await readdir(from)
  if (inside === undefined) return
  await mkdir(dirname(to), { recursive: true, mode: 0o755 })
  await rm(to, { recursive: true, force: true })
  await rename(join(from, inside), to)
}
