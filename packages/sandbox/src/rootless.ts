import { readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { Failure } from '@icosa/kernel'
import type { Bounds } from './cgroup.ts'
import { command } from './command.ts'

/** Whether the node runs as an ordinary user, with namespaces instead of the host's mounts and control groups. */
export const isRootless = () => process.getuid?.() !== 0

/** Mount options of the file system shared by program and host. */
export const socketsMount = 'size=64k,nr_inodes=64,mode=700,nosuid,nodev,noexec,nosymfollow'

const gibibyte = 2 ** 30

/**
 * Size at which gVisor's memory file stops growing: it doubles, from one GiB on. Usage below it is polled; this is a
 * hard limit, however late the poll is.
 */
export const memoryFileBytes = ({ memoryBytes }: Bounds): number =>
  gibibyte * 2 ** Math.max(0, Math.ceil(Math.log2(memoryBytes / gibibyte)))

/** Runs as the first process of the PID namespace; `unshare`'s comments on its end are not the program's errors. */
const mounting = 'mount -t tmpfs -o "$1" icosa-sandbox "$2" 2>&3 || exit 125; shift 2; "$@" 2>&3 3>&-; exit $?'
const muting = 'exec "$@" 3>&2 2>/dev/null'

/**
 * Runs a runtime in its own namespaces. All processes end with the first one of their PID namespace, and that one with
 * the node: there is no control group to find them. A process that enters a user namespace loses its parent-death
 * signal, so that is set afterwards.
 */
export const inNamespaces = (argv: readonly string[], sockets: string, bounds: Bounds): string[] => [
  ...['unshare', '--user', '--map-root-user', '--'],
  ...['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--'],
  ...['/bin/sh', '-c', muting, 'sh'],
  ...['unshare', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc', '--'],
  ...['/bin/sh', '-c', mounting, 'sh'],
  ...[socketsMount, sockets, 'prlimit', `--fsize=${memoryFileBytes(bounds)}`, '--core=0', '--'],
  ...argv,
]

/** Throws why an ordinary user cannot run programs here. Tries all namespaces, since the kernel decides. */
export async function demandNamespaces(): Promise<void> {
  const probe = ['runsc', '--rootless', '--root=/tmp/runsc', '--network=none', '--ignore-cgroups', 'do', '/bin/true']
  const [name = '', ...args] = inNamespaces(probe, '/tmp', { memoryBytes: gibibyte, processes: 1 })
  await command(name, args).catch((error: Error & { stderr?: string }) => {
    const why = (error.stderr ?? '').trim().split('\n').at(-1) || 'no mount or PID namespace'
    throw new Failure(
      'unavailable',
      `Untrusted programs cannot be run without root: the kernel does not allow an ordinary user the namespaces (${why.slice(0, 300)}). Allow them (kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container, an unmasked /proc), or start the node as root.`,
    )
  })
}

export interface Namespaces {
  /** Path of the program's sockets on the host. */
  readonly sockets: string
  /** Kills the first process, and thereby all others, before its parent ends. */
  kill(): void
  close(): void
}

/** Polling interval for memory. */
const pollMs = 50

/** The host's view of the namespaces created by the process `pid`. */
export function openNamespaces(
  pid: number,
  { folder, sockets }: { readonly folder: string; readonly sockets: string },
  { memoryBytes }: Bounds,
  onTooMuch: () => void,
): Namespaces {
  const host = `${folder}/h` // a short name, since Linux limits socket paths
  symlinkSync(`/proc/${pid}/root${sockets}`, host)
  const usedBytes = memoryUse(`/proc/${pid}/root/proc`)
  const timer = setInterval(() => usedBytes() > memoryBytes && onTooMuch(), pollMs).unref()
  return {
    sockets: host,
    kill() {
      const [first = ''] = textOf(`/proc/${pid}/task/${pid}/children`).split(' ')
      kill(Number(first) || pid)
    },
    close: () => clearInterval(timer),
  }
}

/**
 * Measures the processes of a PID namespace by its own `/proc`: their pages, and the file in which gVisor keeps its
 * programs' memory, wherever that is mapped.
 */
function memoryUse(proc: string): () => number {
  let file: string | undefined
  return () => {
    if (attempt(() => statSync(proc).dev) === attempt(() => statSync('/proc').dev)) return 0 // not mounted yet
    const pids = (attempt(() => readdirSync(proc)) ?? []).filter((name) => /^\d+$/.test(name))
    file ??= pids.map((pid) => memoryFileOf(`${proc}/${pid}/fd`)).find((path) => path !== undefined)
    const own = pids.map((pid) => 1_024 * Number(/^RssAnon:\s+(\d+)/m.exec(textOf(`${proc}/${pid}/status`))?.[1] ?? 0))
    const shared = 512 * (attempt(() => statSync(file ?? '').blocks) ?? 0)
    return own.reduce((sum, bytes) => sum + bytes, shared)
  }
}

function memoryFileOf(folder: string): string | undefined {
  const names = attempt(() => readdirSync(folder)) ?? []
  const name = names.find((fd) => attempt(() => readlinkSync(`${folder}/${fd}`))?.startsWith('/memfd:runsc-memory'))
  return name && `${folder}/${name}`
}

const textOf = (path: string) => attempt(() => readFileSync(path, 'utf8')) ?? ''

/** Returns undefined for a process that has ended. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {} // already ended
}
