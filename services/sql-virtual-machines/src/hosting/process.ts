import { spawn } from 'node:child_process'
import { open, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endGroup, groupFolders, makeGroup } from '@icosa/sandbox/cgroup'
import { type Folders, own, writeOwn } from './folders.ts'
import { commandFor, environment, type Programs } from './programs.ts'
import { killAll, processesOf, signalTo } from './tree.ts'

/**
 * The main process of an instance. It is detached: if the node is killed, databases keep running, and the node finds them again by
 * their pid file.
 */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const pidFile = ({ all }: Folders) => join(all, 'pid')

/** The pid of an instance's main process; undefined if it does not run. */
export async function runningIn(folders: Folders): Promise<number | undefined> {
  const pid = Number(await readFile(pidFile(folders), 'utf8').catch(() => ''))
  if (!pid) return undefined
  const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
  return workingFolder === folders.all || workingFolder.startsWith(`${folders.all}/`) ? pid : undefined
}

export interface Limits {
  readonly memoryBytes: number
}

/** PostgreSQL has one process per connection, and the keeper a few. */
const maxProcesses = 1_000

/** Starts it, in its own control group if the node may create one. */
export async function start(folders: Folders, programs: Programs, command: Command, limits: Limits): Promise<number> {
  await killAll(folders.all) // leftovers of a killed keeper would write to the same files
  const groups = await limitResources(folders, limits)
  const [name, args] = commandFor(programs, command.program, command.args)
  const enter =
    'for group; do [ "$group" = -- ] && break; echo $$ > "$group/cgroup.procs"; shift; done; shift; exec "$@"'
  const log = await open(folders.log, 'a', 0o600)
  await own(folders.log, programs)
  try {
    const child = spawn('/bin/sh', ['-c', enter, 'sh', ...groups, '--', name, ...args], {
      cwd: folders.all,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
      env: { ...environment(programs), HOME: folders.home, XDG_RUNTIME_DIR: folders.home, ...command.env },
    })
    const pid = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('spawn', () => resolve(child.pid as number))
    })
    child.unref()
    await writeOwn(pidFile(folders), String(pid), programs)
    return pid
  } finally {
    await log.close()
  }
}

async function limitResources({ all }: Folders, { memoryBytes }: Limits): Promise<string[]> {
  try {
    const groups = await groupFolders(groupName(all))
    await makeGroup(groups, { memoryBytes, processes: maxProcesses })
    return groups
  } catch {
    return [] // its own configuration still limits it
  }
}

const groupName = (folder: string) => `icosa-machine-${folder.split('/').at(-1)}`

/** PostgreSQL's fast shutdown: terminates sessions. Returns false if it does not run. */
export async function askToStop(folders: Folders): Promise<boolean> {
  const pid = await runningIn(folders)
  if (pid !== undefined) signalTo(pid, 'SIGINT')
  return pid !== undefined
}

/** Shuts it down gracefully; kills it after the deadline. */
export async function stop(folders: Folders, waitMs = 30_000): Promise<void> {
  if (await askToStop(folders)) {
    const until = performance.now() + waitMs
    while (performance.now() < until && (await processesOf(folders.all)).length > 0) await sleep(50)
  }
  await killAll(folders.all)
  await endGroup(await groupFolders(groupName(folders.all))).catch(() => {})
}

/** The last error in its log. */
export async function lastError({ log }: Folders): Promise<string | undefined> {
  const lines = (await readFile(log, 'utf8').catch(() => '')).slice(-20_000).split('\n')
  const last = lines.findLast((line) => /\b(PANIC|FATAL|ERROR)\b/.test(line))
  return last?.replace(/^.*?\b(PANIC|FATAL|ERROR):?\s+/, '').slice(0, 300)
}
