import { buildFailure } from './refusal.ts'

export interface LockedPackage {
  /** Such as `node_modules/a/node_modules/@b/c`. */
  readonly path: string
  readonly name: string
  readonly version: string
  /** SHA-256, 384 or 512. */
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
const maxPackages = 2_000

export const refuseLock = (message: string): never => {
  throw buildFailure('MissingDependencies', message)
}

const advice = 'Run `npm install` with a current npm and send the package-lock.json that it writes.'

/**
 * Packages that `npm ci --omit=dev` would install, from an untrusted package-lock.json: only packages of a registry, by name
 * and version, each with its hash. Their URLs in the file are ignored.
 */
export function lockedPackages(lock: string, manifest: string): LockedPackage[] {
  const { packages } = Object(parse(lock, 'package-lock.json')) as { packages?: Record<string, Entry> }
  if (typeof packages !== 'object' || packages === null)
    return refuseLock(`package-lock.json has no list of packages. ${advice}`)
  refuseDifference(Object(packages['']), Object(parse(manifest, 'package.json')))
  const needed = Object.entries(packages).filter(([path, entry]) => path !== '' && isNeeded(Object(entry)))
  if (needed.length > maxPackages)
    refuseLock(`package-lock.json lists ${needed.length} packages: at most ${maxPackages} are fetched.`)
  return needed.map(([path, entry]) => lockedPackage(path, Object(entry)))
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return refuseLock(`${file} is not JSON (${(error as Error).message}).`)
  }
}

/** Like `npm ci`, refuses a lock file that does not match package.json. */
function refuseDifference(locked: Record<string, unknown>, manifest: Record<string, unknown>): void {
  for (const field of ['dependencies', 'optionalDependencies']) {
    const actual = Object(locked[field])
    const expected = Object(manifest[field])
    for (const name of new Set([...Object.keys(actual), ...Object.keys(expected)]))
      if (actual[name] !== expected[name])
        refuseLock(`package.json and package-lock.json do not agree on '${name}'. Run \`npm install\` and send both.`)
  }
}

/** False for dev, bundled and other-platform packages. */
function isNeeded({ dev, inBundle, optional, os, cpu, libc }: Entry): boolean {
  if (dev === true || inBundle === true) return false
  return optional !== true || (fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, 'glibc'))
}

function fits(list: unknown, current: string): boolean {
  if (!Array.isArray(list) || list.length === 0) return true
  if (list.includes(`!${current}`)) return false
  return list.includes(current) || list.every((item) => String(item).startsWith('!'))
}

function lockedPackage(path: string, entry: Entry): LockedPackage {
  const folders = path.split(/(?:^|\/)node_modules\//)
  const name = typeof entry.name === 'string' ? entry.name : (folders.at(-1) ?? '')
  const quoted = JSON.stringify(path.slice(0, 200))
  const isInside =
    folders.length > 1 && folders[0] === '' && folders.slice(1).every((folder) => namePattern.test(folder))
  if (!isInside || entry.link === true)
    return refuseLock(`package-lock.json has ${quoted}, which is a local folder: include it in node_modules.`)
  const { version, integrity, resolved } = entry
  if (typeof resolved === 'string' && !/^https?:/.test(resolved))
    refuseLock(
      `${quoted} comes from ${JSON.stringify(resolved.slice(0, 200))}: only packages of a registry are fetched.`,
    )
  if (!namePattern.test(name) || typeof version !== 'string' || !versionPattern.test(version))
    return refuseLock(`package-lock.json does not name a version of ${quoted}. ${advice}`)
  if (typeof integrity !== 'string' || !/\bsha(256|384|512)-/.test(integrity))
    return refuseLock(`package-lock.json has no SHA-512 of ${quoted}. ${advice}`)
  return { path, name, version, integrity }
}
