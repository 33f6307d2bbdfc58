import { readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from 'node:fs'
import { Failure } from '@icosa/kernel'
import type { Bounds } from './cgroup.ts'
import { command } from './command.ts'

/** Whether the node's user is an ordinary one, who has namespaces instead of the host's mounts and control groups. */
export const isRootless = () => process.getuid?.() !== 0

/** Options of the file system that program and host share, for whoever mounts it. */
export const socketsMount = 'size=64k,nr_inodes=64,mode=700,nosuid,nodev,noexec,nosymfollow'

const gibibyte = 2 ** 30

/**
 * Size at which gVisor's memory file cannot grow any more: it doubles, from one GiB on. What the program uses below it is watched; this
 * holds however late the watch is.
 */
export const memoryFileBytes = ({ memoryBytes }: Bounds): number =>
  gibibyte * 2 ** Math.max(0, Math.ceil(Math.log2(memoryBytes / gibibyte)))

/** As the first process of the PID namespace; errors of `unshare`, which comments on how that one ended, are not the program's. */
const mounting = 'mount -t tmpfs -o "$1" icosa-sandbox "$2" 2>&3 || exit 125; shift 2; "$@" 2>&3 3>&-; exit $?'
const muting = 'exec "$@" 3>&2 2>/dev/null'

/**
 * Runs a runtime in namespaces of its own. All processes end with the first one of their PID namespace, and that one with the node: there
 * is no control group in which they could be found. A process that enters a user namespace forgets which signal it gets when its
 * parent dies, so that is said after it.
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

/** Says why an ordinary user cannot run programs here. Namespaces are the kernel's to give, so all of them are tried. */
export async function demandNamespaces(): Promise<void> {
  const probe = ['runsc', '--rootless', '--root=/tmp/runsc', '--network=none', '--ignore-cgroups', 'do', '/bin/true']
  const [name = '', ...args] = inNamespaces(probe, '/tmp', { memoryBytes: gibibyte, processes: 1 })
  await command(name, args).catch((error: Error & { stderr?: string }) => {
    const why = (error.stderr ?? '').trim().split('\n').at(-1) || 'no mount or PID namespace'
    throw new Failure(
      'unavailable',
      `Untrusted programs cannot be run without root: the kernel gives an ordinary user no namespaces here (${why.slice(0, 300)}). Allow them (kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container, an unmasked /proc), or start the node as root.`,
    )
  })
}

export interface Namespaces {
  /** Where the host finds the program's sockets. */
  readonly sockets: string
  /** Kills the first process, and with it all others, before its parent ends. */
  kill(): void
  close(): void
}

/** How often memory is looked at. */
const lookMs = 50

/** What the host knows of the namespaces that the process `pid` makes. */
export function openNamespaces(
  pid: number,
  { folder, sockets }: { readonly folder: string; readonly sockets: string },
  { memoryBytes }: Bounds,
  onTooMuch: () => void,
): Namespaces {
  const host = `${folder}/h` // a short name for a socket's path, which Linux limits
  symlinkSync(`/proc/${pid}/root${sockets}`, host)
  const used = memoryUse(`/proc/${pid}/root/proc`)
  const timer = setInterval(() => used() > memoryBytes && onTooMuch(), lookMs).unref()
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
 * Measures the processes of a PID namespace by the `/proc` that is mounted in it: the pages of each of them, and the file in which gVisor
 * keeps the memory of its programs, wherever that is mapped.
 */
function memoryUse(proc: string): () => number {
  let file: string | undefined
  return () => {
    if (attempt(() => statSync(proc).dev) === attempt(() => statSync('/proc').dev)) return 0 // it is not mounted yet
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

/** Undefined for a process that has ended meanwhile. */
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
  } catch {} // it ended by itself
}
