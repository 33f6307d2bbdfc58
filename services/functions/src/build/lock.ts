import { buildFailure } from './refusal.ts'

/** A package that is to be put into a folder of the source. */
export interface LockedPackage {
  /** Such as `node_modules/a/node_modules/@b/c`. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** By SHA-256, 384 or 512. */
  readonly integrity: string
}

interface Entry {
  readonly name?: unknown
  readonly version?: unknown
  readonly resolved?: unknown
  readonly integrity?: unknown
  readonly dev?: unknown
  readonly optional?: unknown
  readonly link?: unknown
  readonly inBundle?: unknown
  readonly os?: unknown
  readonly cpu?: unknown
  readonly libc?: unknown
}

const namePattern = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-zA-Z0-9~-][a-zA-Z0-9._~-]*$/
const versionPattern = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/
const most = 2_000

export const refuseLock = (message: string): never => {
  throw buildFailure('MissingDependencies', message)
}

const again = 'Run `npm install` with a current npm and send the package-lock.json that it writes.'

/**
 * What `npm ci --omit=dev` would install for functions here, by a package-lock.json that a stranger wrote: only packages of a registry, by
 * name and version, each with its hash. Where the file says that they come from is not looked at.
 */
export function lockedPackages(lock: string, manifest: string): LockedPackage[] {
  const { packages } = Object(parsed(lock, 'package-lock.json')) as { packages?: Record<string, Entry> }
  if (typeof packages !== 'object' || packages === null)
    return refuseLock(`package-lock.json has no list of packages. ${again}`)
  refuseDifference(Object(packages['']), Object(parsed(manifest, 'package.json')))
  const wanted = Object.entries(packages).filter(([path, entry]) => path !== '' && isWanted(Object(entry)))
  if (wanted.length > most)
    refuseLock(`package-lock.json names ${wanted.length} packages: at most ${most} are fetched.`)
  return wanted.map(([path, entry]) => lockedPackage(path, Object(entry)))
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuseLock(`${file} is not JSON (${(error as Error).message}).`)
  }
}

/** As `npm ci`: a lock that was written for other dependencies is not used. */
function refuseDifference(locked: Record<string, unknown>, manifest: Record<string, unknown>): void {
  for (const field of ['dependencies', 'optionalDependencies']) {
    const there = Object(locked[field])
    const here = Object(manifest[field])
    for (const name of new Set([...Object.keys(there), ...Object.keys(here)]))
      if (there[name] !== here[name])
        refuseLock(`package.json and package-lock.json do not agree on '${name}'. Run \`npm install\` and send both.`)
  }
}

/** Not what only developers need, what comes inside another package, or what is for other machines. */
function isWanted({ dev, inBundle, optional, os, cpu, libc }: Entry): boolean {
  if (dev === true || inBundle === true) return false
  return optional !== true || (fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc'))
}

function fits(list: unknown, here: string): boolean {
  if (!Array.isArray(list) || list.length === 0) return true
  if (list.includes(`!${here}`)) return false
  return list.includes(here) || list.every((one) => String(one).startsWith('!'))
}

function lockedPackage(path: string, entry: Entry): LockedPackage {
  const folders = path.split(/(?:^|\/)node_modules\//)
  const name = typeof entry.name === 'string' ? entry.name : (folders.at(-1) ?? '')
  const shown = JSON.stringify(path.slice(0, 200))
  const isBelow = folders.length > 1 && folders[0] === '' && folders.slice(1).every((one) => namePattern.test(one))
  if (!isBelow || entry.link === true)
    return refuseLock(`package-lock.json has ${shown}, which is a folder of yours: send it inside of node_modules.`)
  const { version, integrity, resolved } = entry
  if (typeof resolved === 'string' && !/^https?:/.test(resolved))
    refuseLock(
      `${shown} comes from ${JSON.stringify(resolved.slice(0, 200))}: only packages of a registry are fetched.`,
    )
  if (!namePattern.test(name) || typeof version !== 'string' || !versionPattern.test(version))
    return refuseLock(`package-lock.json does not name a version of ${shown}. ${again}`)
  if (typeof integrity !== 'string' || !/\bsha(256|384|512)-/.test(integrity))
    return refuseLock(`package-lock.json has no SHA-512 of ${shown}. ${again}`)
  return { path, name, version, integrity }
}
