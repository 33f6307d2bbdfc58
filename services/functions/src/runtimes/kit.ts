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
 * What runs functions inside a sandbox: our runners, and the framework with all that it needs. A copy, since the node's own
 * packages are none of a function's business, and since the sandbox's user may not be allowed to see where they are. Made once
 * for each version, by whichever node on the machine comes first.
 */
export async function makeKit(folder: string, node: string): Promise<string> {
  const { stdout: version } = await execute(node, ['--version'])
  const packages = await closureOf(framework, fileURLToPath(import.meta.resolve(framework)))
  const kit = join(folder, `kit-${await fingerprint([version, ...packages.values()])}`)
  if (existsSync(kit)) return kit
  const making = `${kit}.${randomBytes(4).toString('hex')}.part`
  await mkdir(making, { recursive: true, mode: 0o755 })
  try {
    await cp(programs, making, { recursive: true })
    for (const [name, from] of packages) await cp(from, join(making, name), { recursive: true, filter: isNeeded(from) })
    // Of packages that come in both kinds, the one that can be packed.
    const flags = ['--no-experimental-require-module']
    await execute(node, [...flags, join(making, 'pack.cjs'), making], { cwd: '/', timeout: 120_000 })
    await rename(making, kit).catch((error) => {
      if (!existsSync(kit)) throw error // else another node was faster
    })
    return kit
  } finally {
    await rm(making, { recursive: true, force: true })
  }
}

const isNeeded = (from: string) => (path: string) =>
  !path.slice(from.length).split(sep).includes('node_modules') &&
  !/\.(ts|map|md|yml|nycrc|eslintrc|editorconfig)$/.test(path)

/** The folders of a package and of all that it needs, by where they are to stand: `node_modules/a/node_modules/b`. */
async function closureOf(name: string, entry: string): Promise<Map<string, string>> {
  const first = entry.slice(0, entry.lastIndexOf(join('node_modules', name)) - 1)
  const found = new Map<string, string>()
  const add = async (wanted: string, from: string): Promise<void> => {
    const at = foundFrom(wanted, from)
    if (at === undefined) return // one that is optional
    const place = at.startsWith(first) ? at.slice(first.length + 1) : join('node_modules', wanted)
    if (found.has(place)) return
    found.set(place, at)
    const { dependencies = {} } = JSON.parse(await readFile(join(at, 'package.json'), 'utf8'))
    for (const needed of Object.keys(dependencies)) if (!needed.startsWith('@types/')) await add(needed, at)
  }
  await add(name, first)
  return found
}

/** As Node finds it. */
function foundFrom(name: string, folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules', name)
    if (existsSync(join(found, 'package.json'))) return found
    if (at === dirname(at)) return undefined
  }
}

/** Changes with the runners, with the version of Node that compiled the framework, and with every package. */
async function fingerprint(parts: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts)
    hash.update(existsSync(join(part, 'package.json')) ? await readFile(join(part, 'package.json')) : part)
  for (const name of (await readdir(programs)).sort()) hash.update(await readFile(join(programs, name)))
  return hash.digest('hex').slice(0, 16)
}
