import { readdir, readlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Every process of an instance. They work in its folder: the keeper, what it started and lost, and PostgreSQL with all of
 * its own, whoever their parent is by now.
 */
export async function processesOf(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const works = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return works === folder || works.startsWith(`${folder}/`) ? [pid] : []
    }),
  )
  return found.flat().filter((pid) => pid !== process.pid)
}

export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {} // it ended by itself
}

/** At once and all of it, as when a machine loses its power. */
export async function killAll(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const pids = await processesOf(folder)
    if (pids.length === 0) return
    for (const pid of pids) signalTo(pid, 'SIGKILL')
    await sleep(10)
  }
  throw new Error(`The processes of ${folder} cannot be killed.`)
}
