import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './bundle.ts'
import { found, type Locked, lockOf, requiredBy } from './sbom.ts'

type Versions = Readonly<Record<string, string>>

/**
 * npm ignores the lock file of a package that is installed from a file. To install the tested versions, these packages
 * and their dependencies are part of the tarball, and all others are pinned.
 */
const bundled = ['@google-cloud/functions-framework', 'onnxruntime-node', 'sharp']

/**
 * Its install script downloads CUDA, which is not used; if that fails, npm drops the package. The tarball has it
 * without the script.
 */
const runtime = 'node_modules/onnxruntime-node'

export interface Dependencies {
  /** Paths below the checkout. */
  readonly bundledPaths: readonly string[]
  readonly bundleDependencies: readonly string[]
  readonly dependencies: Versions
  readonly optionalDependencies: Versions
}

/** Dependencies of the published package that are not in its bundle. */
export async function packedDependencies(names: readonly string[], optional: Versions): Promise<Dependencies> {
  const lock = await lockOf()
  const closure = (start: readonly string[]) => {
    const paths = new Set<string>()
    const visit = (path: string | undefined) => {
      if (path === undefined || paths.has(path)) return
      paths.add(path)
      for (const name of needsOf(path, lock[path] ?? {})) visit(found(lock, path, name))
    }
    for (const name of start) visit(found(lock, '', name))
    return [...paths].sort()
  }
  const bundledPaths = closure(bundled)
  const pinned = closure(names.filter((name) => !bundled.includes(name)))
  refuseTwo(pinned, bundledPaths)
  const versions = (paths: readonly string[]) =>
    Object.fromEntries(paths.map((path) => [nameOf(path), lock[path]?.version ?? '']))
  const ofSharp = Object.keys(lock['node_modules/sharp']?.optionalDependencies ?? {}).map(
    (name) => `node_modules/${name}`,
  )
  return {
    bundledPaths,
    bundleDependencies: bundled,
    dependencies: { ...versions(pinned), ...versions(bundled.map((name) => `node_modules/${name}`)) },
    optionalDependencies: { ...optional, ...versions(ofSharp) },
  }
}

const needsOf = (path: string, entry: Locked) => (path === runtime ? ['onnxruntime-common'] : requiredBy(entry))

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Refuses a second version of a package, since npm would choose between them. */
function refuseTwo(pinned: readonly string[], bundledPaths: readonly string[]): void {
  const names = [
    ...pinned.map(nameOf),
    ...bundledPaths.filter((path) => path.lastIndexOf('node_modules/') === 0).map(nameOf),
  ]
  const twice = names.find((name, position) => names.indexOf(name) !== position)
  if (twice)
    throw new Error(`There are two of ${twice}, of which one cannot be pinned: bundle the package that needs it.`)
}

/** Copies bundled packages, with the machine code of these platforms, such as `linux/x64`. */
export async function copyBundled(paths: readonly string[], out: string, platforms: readonly string[]): Promise<void> {
  const filter = (source: string) => !source.endsWith('/node_modules')
  for (const path of paths.filter((path) => path !== runtime))
    await cp(join(root, path), join(out, path), { recursive: true, filter })
  const [from, to] = [join(root, runtime), join(out, runtime)]
  const {
    scripts: _,
    devDependencies: __,
    ...manifest
  } = JSON.parse(await readFile(join(from, 'package.json'), 'utf8'))
  const { 'onnxruntime-common': version } = manifest.dependencies
  await mkdir(to, { recursive: true })
  await writeFile(
    join(to, 'package.json'),
    `${JSON.stringify({ ...manifest, dependencies: { 'onnxruntime-common': version } }, null, 2)}\n`,
  )
  const binaries = platforms.map((platform) => `bin/napi-v6/${platform}`)
  for (const part of ['dist', 'README.md', ...binaries])
    await cp(join(from, part), join(to, part), { recursive: true, filter: (source) => !isCopy(source) })
}

/** The macOS library exists under two names, of which only one is loaded. */
const isCopy = (file: string) => /libonnxruntime\.\d+\.\d+\.\d+\.dylib$/.test(file)
