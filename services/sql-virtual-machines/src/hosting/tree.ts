import { readdir, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Every process of an instance, identified by its working directory: the keeper, its children and orphans, and PostgreSQL with
 * its own.
 */
export async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const matches = await Promise.all(
    pids.map(async (pid) => {
      const workingFolder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return workingFolder === folder || workingFolder.startsWith(`${folder}/`) ? [pid] : []
    }),
  )
  return matches.flat().filter((pid) => pid !== process.pid)
}

export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {} // it has already exited
}

/** Kills all processes immediately, like a power failure. */
export async function killAll(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const pids = await processesOf(folder)
    if (pids.length === 0) return
    for (const pid of pids) signalTo(pid, 'SIGKILL')
    await sleep(10)
  }
  throw new Error(`The processes of ${folder} cannot be killed.`)
}
