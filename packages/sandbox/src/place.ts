import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { endGroup, groupFolders, makeGroup } from './cgroup.ts'
import { command } from './command.ts'
import { nobody, type Program } from './program.ts'
import { type Runtime, type RuntimeName, runtimeNamed } from './runtime.ts'

/** Everything that a program has on the host. What is found here is all that is needed to end it. */
export interface Place {
  readonly id: string
  readonly runtime: RuntimeName
  readonly folder: string
  /** Where the host finds the program's sockets. */
  readonly sockets: string
  /** The folders of its control group. */
  readonly groups: readonly string[]
}

/** Where a program will be. Nothing is made yet. */
export async function choosePlace(owner: string, id: string, runtime: RuntimeName): Promise<Place> {
  const folder = `${owner}/${id}`
  const groups = await groupFolders(`icosa-sandbox-${id}`)
  return { id, runtime, folder, sockets: `${folder}/s`, groups }
}

export async function makePlace(place: Place, runtime: Runtime, program: Program): Promise<void> {
  const { folder, groups } = place
  await mkdir(place.sockets, { recursive: true, mode: 0o711 })
  await writeFile(`${folder}/place.json`, JSON.stringify(place), { mode: 0o600 }) // before anything that must be undone
  await makeGroup(groups, runtime.bounds(program.limits))
  if (program.listens) await mountSockets(place.sockets)
}

/**
 * The one folder that program and host share. A small file system of its own, so that it cannot fill the host's disk, in which
 * nobody follows symlinks: a socket that is one would lead the host's connection to a socket of the host.
 */
async function mountSockets(folder: string): Promise<void> {
  const options = `size=64k,nr_inodes=64,mode=700,uid=${nobody},gid=${nobody},nosuid,nodev,noexec,nosymfollow`
  await command('mount', ['-t', 'tmpfs', '-o', options, 'icosa-sandbox', folder])
}

async function unmountSockets(folder: string): Promise<void> {
  const mounts = await readFile('/proc/self/mounts', 'utf8')
  for (const line of mounts.split('\n')) if (line.split(' ')[1] === folder) await command('umount', ['--lazy', folder])
}

/** Ends the program and removes every trace of it; again and again if need be, and whoever made the place. */
export async function endPlace(place: Place): Promise<void> {
  await endGroup(place.groups)
  await runtimeNamed(place.runtime).forget(place)
  await endGroup(place.groups) // a runtime may have put back a group of its own
  await unmountSockets(place.sockets)
  await rm(place.folder, { recursive: true, force: true })
}

/** Ends all programs of an owner, and removes its folder. */
export async function endOwner(owner: string): Promise<void> {
  for (const id of await readdir(owner).catch(() => [])) {
    const text = await readFile(`${owner}/${id}/place.json`, 'utf8').catch(() => '')
    if (text.endsWith('}')) await endPlace(JSON.parse(text) as Place)
  }
  await rm(owner, { recursive: true, force: true })
}
