import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const programs = fileURLToPath(new URL('./programs/', import.meta.url))
const framework = '@google-cloud/functions-framework'

/**
 * Creates the folder with runners and framework that is mounted into sandboxes. A copy, to hide the node's own packages, and
 * since the sandbox's user may not have access to them. Created once per version and machine.
 */
export async function makeKit(folder: string, node: string): Promise<string> {
  const { stdout: version } = await execute(node, ['--version'])
  const packages = await closureOf(framework, fileURLToPath(import.meta.resolve(framework)))
  const kit = join(folder, `kit-${await fingerprint([version, ...packages.values()])}`)
  if (existsSync(kit)) return kit
  const part = `${kit}.${randomBytes(4).toString('hex')}.part`
  await mkdir(part, { recursive: true, mode: 0o755 })
  try {
    await cp(programs, part, { recursive: true })
    for (const [name, from] of packages) await cp(from, join(part, name), { recursive: true, filter: isNeeded(from) })
    // CommonJS of dual packages, which can be packed.
    const flags = ['--no-experimental-require-module']
    await execute(node, [...flags, join(part, 'pack.cjs'), part], { cwd: '/', timeout: 120_000 })
    await rename(part, kit).catch((error) => {
      if (!existsSync(kit)) throw error // else another node was faster
    })
    return kit
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}

const isNeeded = (from: string) => (path: string) =>
  !path.slice(from.length).split(sep).includes('node_modules') &&
  !/\.(ts|map|md|yml|nycrc|eslintrc|editorconfig)$/.test(path)

/** Folders of a package and its dependencies, by target path: `node_modules/a/node_modules/b`. */
async function closureOf(name: string, entry: string): Promise<Map<string, string>> {
  const first = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) - 1)
  const folders = new Map<string, string>()
  const add = async (dependency: string, from: string): Promise<void> => {
    const folder = resolveFrom(dependency, from)
    if (folder === undefined) return // optional
    const target = folder.startsWith(first) ? folder.slice(first.length + 1) : join('node_modules', dependency)
    if (folders.has(target)) return
    folders.set(target, folder)
    const { dependencies = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    for (const next of Object.keys(dependencies)) if (!next.startsWith('@types/')) await add(next, folder)
  }
  await add(name, first)
  return folders
}

/** Resolves a package like Node. */
function resolveFrom(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return candidate
    if (at === dirname(at)) return undefined
  }
}

/** Changes with the runners, the Node version that compiles the framework, and every package. */
async function fingerprint(parts: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts)
    hash.update(existsSync(join(part, 'package.json')) ? await readFile(join(part, 'package.json')) : part)
  for (const name of (await readdir(programs)).sort()) hash.update(await readFile(join(programs, name)))
  return hash.digest('hex').slice(0, 16)
}
