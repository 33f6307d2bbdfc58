import { chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { endGroup, groupFolders, makeGroup } from './cgroup.ts'
import { command } from './command.ts'
import { nobody, type Program } from './program.ts'
import { isRootless, socketsMount } from './rootless.ts'
import { type Runtime, type RuntimeName, runtimeNamed } from './runtime.ts'

/** Everything a program occupies on the host: enough to end it. */
export interface Container {
  readonly id: string
  readonly runtime: RuntimeName
  readonly folder: string
  /** Path of the program's sockets on the host. */
  readonly sockets: string
  /** Folders of its control group; none without root. */
  readonly groups: readonly string[]
}

/** Plans a program's container. Creates nothing. */
export async function planContainer(owner: string, id: string, runtime: RuntimeName): Promise<Container> {
  const folder = `${owner}/${id}`
  const groups = isRootless() ? [] : await groupFolders(`icosa-sandbox-${id}`)
  return { id, runtime, folder, sockets: `${folder}/s`, groups }
}

export async function makeContainer(container: Container, runtime: Runtime, program: Program): Promise<void> {
  const { folder, groups } = container
  await mkdir(container.sockets, { recursive: true, mode: 0o711 })
  await writeFile(`${folder}/container.json`, JSON.stringify(container), { mode: 0o600 }) // before anything to be undone
  for (const [index, { files }] of (program.folders ?? []).entries())
    await writeFolder(ownFolder(container, index), files)
  if (isRootless()) return // the rest happens in the program's own namespaces
  await makeGroup(groups, { ...runtime.bounds(program.limits), cpus: program.limits.cpus })
  if (program.listens) await mountSockets(container.sockets)
}

/** Path of a program's own folder on the host. */
const ownFolder = ({ folder }: Container, index: number) => `${folder}/files-${index}`

/** The program with its own folders as binds. */
export const withFolders = (program: Program, container: Container): Program => ({
  ...program,
  binds: [
    ...program.binds,
    ...(program.folders ?? []).map(({ to }, index) => ({ from: ownFolder(container, index), to })),
  ],
})

async function writeFolder(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  const own = async (path: string) => (isRootless() ? undefined : await chown(path, nobody, nobody))
  for (const [name, content] of Object.entries(files)) {
    await writeFile(`${folder}/${name}`, content, { mode: 0o400 })
    await own(`${folder}/${name}`)
  }
  await own(folder)
}

/**
 * The folder shared by program and host. A small file system of its own, so that it cannot fill the host's disk, and
 * without symlinks: one in place of a socket would redirect the host's connection to a socket of the host.
 */
async function mountSockets(folder: string): Promise<void> {
  await command('mount', ['-t', 'tmpfs', '-o', `${socketsMount},uid=${nobody},gid=${nobody}`, 'icosa-sandbox', folder])
}

const isMounted = async (folder: string) =>
  (await readFile('/proc/self/mounts', 'utf8')).split('\n').some((line) => line.split(' ')[1] === folder)

async function unmountSockets(folder: string): Promise<void> {
  while (await isMounted(folder))
    await command('umount', ['--lazy', folder]).catch(async (error) => {
      if (await isMounted(folder)) throw error // unless another node was faster
    })
}

/** Ends the program and removes every trace of it. Idempotent, also concurrently and by other nodes. */
export async function removeContainer(container: Container): Promise<void> {
  await endGroup(container.groups)
  await runtimeNamed(container.runtime).forget(container)
  await endGroup(container.groups) // a runtime may have recreated its group
  await unmountSockets(container.sockets)
  await rm(container.folder, { recursive: true, force: true })
}

/** Ends all programs of an owner, and removes its folder. */
export async function removeContainersOf(owner: string): Promise<void> {
  for (const id of await readdir(owner).catch(() => [])) {
    const text = await readFile(`${owner}/${id}/container.json`, 'utf8').catch(() => '')
    if (text.endsWith('}')) await removeContainer(JSON.parse(text) as Container)
  }
  await rm(owner, { recursive: true, force: true })
}
