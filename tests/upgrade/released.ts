import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const inFolder = (cwd: string, command: string, ...args: string[]) => run(command, args, { cwd, maxBuffer: 64 << 20 })

/** Whether this checkout has a commit, which a shallow clone may lack. */
export const hasCommit = (commit: string): Promise<boolean> =>
  inFolder(root, 'git', 'cat-file', '-e', `${commit}^{commit}`).then(
    () => true,
    () => false,
  )

/** Packs a version with its own script and dependencies, installs it, and returns its command. */
export async function release(folder: string, commit: string): Promise<string> {
  const source = join(folder, 'source')
  await mkdir(source, { recursive: true })
  await inFolder(root, 'sh', '-c', `git archive ${commit} | tar -x -C '${source}'`)
  await inFolder(source, 'npm', 'ci', '--ignore-scripts', '--prefer-offline')
  return installed(folder, source)
}

/** Packs and installs this checkout. */
export const releaseOfThis = (folder: string): Promise<string> => installed(folder, root)

async function installed(folder: string, source: string): Promise<string> {
  await inFolder(source, 'env', 'PACKAGE_PLATFORMS=', process.execPath, 'scripts/package.ts')
  const [tarball = ''] = (await readdir(source)).filter((name) => /^icosa-[\d.]+\.tgz$/.test(name))
  await mkdir(folder, { recursive: true })
  await cp(join(source, tarball), join(folder, tarball))
  await writeFile(join(folder, 'package.json'), '{}')
  await inFolder(folder, 'npm', 'install', '--ignore-scripts', '--prefer-offline', `./${tarball}`)
  return join(folder, 'node_modules/icosa/dist/cli.js')
}
