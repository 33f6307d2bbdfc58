import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.ts'

export interface Locked {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface Component {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly integrity: string | undefined
  /** Path in the lock file. */
  readonly path: string
}

export const lockOf = async (): Promise<Readonly<Record<string, Locked>>> =>
  JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')).packages

/** Resolves a package as Node does: in the nearest `node_modules` upwards. */
export function found(packages: Readonly<Record<string, Locked>>, from: string, name: string): string | undefined {
  for (let at: string | undefined = from; at !== undefined; at = parentOf(at)) {
    const path = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`
    const entry = packages[path]
    if (entry) return entry.link ? entry.resolved : path
  }
  return undefined
}

function parentOf(path: string): string | undefined {
  if (path === '') return undefined
  const end = path.lastIndexOf('/node_modules/')
  return end < 0 ? '' : path.slice(0, end)
}

/** Dependencies that npm installs with a package on every machine. */
export function requiredBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Locked): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
  return [...Object.keys(dependencies), ...peers]
}

/** Transitive run-time dependencies of the server in the lock file, without our own workspaces. */
export async function runTimeComponents(): Promise<{
  readonly direct: readonly string[]
  readonly all: readonly Component[]
}> {
  const packages = await lockOf()
  const seen = new Map<string, Component>()
  const direct = new Set<string>()
  const visited = new Set<string>()
  const visit = (path: string) => {
    if (visited.has(path)) return
    visited.add(path)
    const entry = packages[path] ?? {}
    const isOurs = !path.includes('node_modules/')
    for (const name of [...requiredBy(entry), ...Object.keys(entry.optionalDependencies ?? {})]) {
      const target = found(packages, path, name)
      if (target === undefined) continue // optional, and for another platform
      if (isOurs && target.includes('node_modules/')) direct.add(name)
      const { version = '', license: licence = '', integrity, name: realName } = packages[target] ?? {}
      const ownName = realName ?? target.slice(target.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (target.includes('node_modules/'))
        seen.set(target, { name: ownName, version, licence, integrity, path: target })
      visit(target)
    }
  }
  visit('apps/server')
  const all = [...seen.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
  return { direct: [...direct].sort(), all }
}

/** A bill of materials in CycloneDX 1.6. Reproducible: it has no timestamp or serial number. */
export async function sbom(name: string, version: string): Promise<object> {
  const { all } = await runTimeComponents()
  const once = new Map(all.map((one) => [`${one.name}@${one.version}`, one]))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { type: 'application', name, version, purl: purlOf(name, version) } },
    components: [...once.values()].map((one) => ({
      type: 'library',
      'bom-ref': purlOf(one.name, one.version),
      name: one.name,
      version: one.version,
      purl: purlOf(one.name, one.version),
      licenses: [licenceOf(one.licence)],
      ...(one.integrity && { hashes: [hashOf(one.integrity)] }),
    })),
  }
}

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`

/** A licence that is not an SPDX identifier or expression is kept as a name. */
function licenceOf(licence: string): object {
  if (/^[\w.-]+$/.test(licence)) return { license: { id: licence } }
  return / (AND|OR) /.test(licence) && !/\bBSD\b(?!-)/.test(licence)
    ? { expression: licence }
    : { license: { name: licence } }
}

const algorithms: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }

function hashOf(integrity: string): object {
  const [algorithm = '', digest = ''] = integrity.split('-', 2)
  return { alg: algorithms[algorithm] ?? algorithm, content: Buffer.from(digest, 'base64').toString('hex') }
}
