import { readdirSync, readFileSync } from 'node:fs'

const text = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // already ended
  }
}

const folders = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))

/** The programs in a state folder, of any owner. */
export const programsIn = (state: string) =>
  folders(state).flatMap((owner) => folders(`${state}/${owner}`).map((id) => ({ owner, id })))

/** Remains of programs on this machine: processes, control groups, mounts and folders. */
export function tracesOf(state: string, ids: readonly string[]): string[] {
  const has = (value: string) => ids.some((id) => value.includes(id))
  const isRunning = (pid: string) => /^State:\s+[^ZX]/m.test(text(`/proc/${pid}/status`)) // not a zombie
  // By their group or, without one, by the runtime's command line.
  const isOurs = (pid: string) => has(text(`/proc/${pid}/cgroup`)) || has(text(`/proc/${pid}/cmdline`))
  const processes = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOurs(pid) && isRunning(pid))
  const groups = ['', ...folders('/sys/fs/cgroup')].flatMap((at) => {
    const names = readdirSync(`/sys/fs/cgroup/${at}`).filter(has)
    return names.map((name) => `group ${at}/${name}`)
  })
  const mounts = text('/proc/self/mounts').split('\n').filter(has)
  const programs = programsIn(state).filter(({ id }) => has(id))
  return [
    ...processes.map((pid) => `process ${pid}`),
    ...groups,
    ...mounts,
    ...programs.map(({ id }) => `folder ${id}`),
  ]
}
