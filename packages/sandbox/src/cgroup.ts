import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '@icosa/kernel'

/**
 * Control groups limit what a runtime and all its processes may use together, whatever the runtime. They also serve to
 * find and kill them: no process leaves its group by forking, changing its session or losing its parent.
 */
export interface Bounds {
  readonly memoryBytes: number
  readonly processes: number
  readonly cpus?: number | undefined
}

const mount = '/sys/fs/cgroup'
const writable = (folder: string) =>
  access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
const read = (file: string) => readFile(file, 'utf8').catch(() => '')

/** Folders of a new group: one in version 2, one per controller in version 1. Creates nothing. */
export async function groupFolders(name: string): Promise<string[]> {
  const own = await read('/proc/self/cgroup')
  const isSecondVersion = !/^\d+:(\w+,)*memory(,\w+)*:/m.test(own)
  const folders = isSecondVersion
    ? [`${await delegated(/^0::(.*)$/m.exec(own)?.[1] ?? '/')}/${name}`]
    : ['memory', 'pids', ...((await writable(`${mount}/cpu`)) ? ['cpu'] : [])].map((of) => `${mount}/${of}/${name}`)
  for (const folder of folders)
    if (!(await writable(dirname(folder))))
      throw new Failure(
        'unavailable',
        `Programs cannot be run here: ${folder} cannot be created. Run the node as root with writable control groups (systemd: Delegate=yes).`,
      )
  return folders
}

/** The group's path in runtimes' syntax, the same for all controllers. */
export const groupPath = ([folder = '']: readonly string[]) => folder.replace(/^\/sys\/fs\/cgroup(\/memory(?=\/))?/, '')

/** A version 2 group with processes cannot have limited children, so those are siblings of the node's own group. */
async function delegated(own: string): Promise<string> {
  const parent = own === '/' ? mount : dirname(`${mount}${own}`)
  await writeFile(`${parent}/cgroup.subtree_control`, '+memory +pids').catch(() => {})
  await writeFile(`${parent}/cgroup.subtree_control`, '+cpu').catch(() => {}) // programs also run without it
  if (/\bmemory\b.*\bpids\b/.test(await read(`${parent}/cgroup.subtree_control`))) return parent
  throw new Failure(
    'unavailable',
    `Programs cannot be run here: ${parent} does not control memory and pids. Run the node as its own unit with Delegate=yes.`,
  )
}

const isFirstVersion = (folders: readonly string[]) => folders.length > 1

export async function makeGroup(folders: readonly string[], { memoryBytes, processes, cpus }: Bounds): Promise<void> {
  for (const folder of folders) await mkdir(folder, { recursive: true })
  const [memory = '', pids = memory] = folders
  if (isFirstVersion(folders)) await writeFile(`${memory}/memory.limit_in_bytes`, String(memoryBytes))
  else await writeFile(`${memory}/memory.max`, String(memoryBytes))
  await writeFile(`${pids}/pids.max`, String(processes))
  // Memory must not be swapped out. Neither file exists on kernels without swap accounting.
  const swap = isFirstVersion(folders) ? ['memory.memsw.limit_in_bytes', memoryBytes] : ['memory.swap.max', 0]
  await writeFile(`${memory}/${swap[0]}`, String(swap[1])).catch(() => {})
  if (cpus !== undefined) await limitCpus(folders, cpus)
}

const periodUs = 100_000

/** Limits the group's share of the processors. Without a CPU controller, they are shared as between all processes. */
export async function limitCpus(folders: readonly string[], cpus: number): Promise<void> {
  if (folders.length === 0) return
  const quotaUs = Math.max(1_000, Math.round(cpus * periodUs))
  const [group = '', , cpu] = folders
  if (!isFirstVersion(folders)) await writeFile(`${group}/cpu.max`, `${quotaUs} ${periodUs}`).catch(() => {})
  else if (cpu) await writeFile(`${cpu}/cpu.cfs_quota_us`, String(quotaUs))
}

/** Whether the OOM killer struck in the group. */
export async function ranOutOfMemory([memory = '']: readonly string[]): Promise<boolean> {
  const events = `${await read(`${memory}/memory.events`)}${await read(`${memory}/memory.oom_control`)}`
  if (/^oom_kill [1-9]/m.test(events)) return true
  // Version 1 counts in the victim's group, which a runtime may have created below ours and removed since.
  const peak = Number(await read(`${memory}/memory.max_usage_in_bytes`))
  return peak > 0 && peak >= Number(await read(`${memory}/memory.limit_in_bytes`))
}

async function groupAndBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => groupAndBelow(`${folder}/${name}`))
  return [...(await Promise.all(below)).flat(), folder]
}

export async function pidsIn(folders: readonly string[]): Promise<number[]> {
  const groups = (await Promise.all(folders.map(groupAndBelow))).flat()
  const lists = await Promise.all(groups.map((folder) => read(`${folder}/cgroup.procs`)))
  return [...new Set(lists.flatMap((list) => list.split('\n').filter(Boolean).map(Number)))].filter((pid) => pid > 1)
}

/** Kills all processes of the group, and removes it. */
export async function endGroup(folders: readonly string[]): Promise<void> {
  for (const folder of folders) await writeFile(`${folder}/pids.max`, '0').catch(() => {}) // stops fork bombs
  for (let attempt = 0; (await pidsIn(folders)).length > 0; attempt++) {
    if (attempt > 2_000) throw new Error(`The processes of ${folders[0]} cannot be killed.`)
    for (const pid of await pidsIn(folders)) kill(pid)
    await delay(5)
  }
  for (const folder of (await Promise.all((await everywhere(folders)).map(groupAndBelow))).flat())
    await removeGroup(folder)
}

/** A runtime creates its group below ours, in version 1 for every controller: all of those are removed as well. */
async function everywhere(folders: readonly string[]): Promise<readonly string[]> {
  if (!isFirstVersion(folders)) return folders
  return (await readdir(mount)).map((controller) => `${mount}/${controller}/${basename(folders[0] ?? '')}`)
}

/** Kills the current processes of the group; its owner notices and cleans up. */
export async function killGroup(folders: readonly string[]): Promise<void> {
  for (const pid of await pidsIn(folders)) kill(pid)
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // already ended
}

/** The kernel releases a group some time after its last process. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rmdir(folder)
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code
      if (code === 'ENOENT') return
      if (code !== 'EBUSY' || attempt > 400) throw error
      await delay(5)
    }
  }
}
