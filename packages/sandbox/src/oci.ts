import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { groupPath } from './cgroup.ts'
import { command } from './command.ts'
import type { Container } from './container.ts'
import { nobody, type Program } from './program.ts'
import { isRootless } from './rootless.ts'
import type { Runtime } from './runtime.ts'

const gvisorOptions = ['--network=none', '--host-uds=create', '--ignore-cgroups']

/** Runtimes that take a bundle by the Open Container Initiative's specification. */
export function ociRuntime(name: 'runsc' | 'runc' | 'crun'): Runtime {
  const isGvisor = name === 'runsc'
  // The limits are those of the runtime's control group. gVisor stays in it; the others create one below.
  const options = (container: Container) =>
    isGvisor
      ? [...(isRootless() ? ['--rootless'] : []), '--root', runtimeRoot(container), ...gvisorOptions]
      : ['--root', runtimeRoot(container)]
  return {
    name,
    // gVisor's kernel is a process of its own that contains the program's memory and threads alongside its own.
    bounds: ({ memoryBytes, processes }) =>
      isGvisor
        ? { memoryBytes: memoryBytes + 96 * 2 ** 20, processes: 128 + 8 * processes }
        : { memoryBytes: memoryBytes + 16 * 2 ** 20, processes: processes + 16 },
    async prepare(program, container) {
      const bundle = `${container.folder}/bundle`
      await mkdir(`${bundle}/rootfs`, { recursive: true })
      await writeFile(`${bundle}/config.json`, JSON.stringify(bundleConfig(program, container, isGvisor)), {
        mode: 0o600, // contains the program's environment
      })
      return [name, ...options(container), 'run', '--bundle', bundle, container.id]
    },
    async forget(container) {
      // All of gVisor was in the group, and its state is in the container. The others usually clean up by themselves.
      if (!isGvisor && (await readdir(runtimeRoot(container)).catch(() => [])).length > 0)
        await command(name, [...options(container), 'delete', '--force', container.id])
    },
  }
}

const runtimeRoot = ({ folder }: Container) => `${folder}/runtime`

function bundleConfig(program: Program, container: Container, isGvisor: boolean) {
  const { argv, env = {}, cwd = '/', limits } = program
  const rlimit = (type: string, value: number) => ({ type, hard: value, soft: value })
  return {
    ociVersion: '1.0.2',
    hostname: 'sandbox',
    root: { path: 'rootfs', readonly: true },
    process: {
      terminal: false,
      user: userOf(program),
      cwd,
      args: argv,
      env: Object.entries(env).map(([key, value]) => `${key}=${value}`),
      capabilities: {},
      noNewPrivileges: true,
      oomScoreAdj: 500,
      rlimits: [
        rlimit('RLIMIT_NOFILE', 1024),
        rlimit('RLIMIT_CORE', 0),
        // On the host's kernel this would count the processes of all sandboxes; there the group limits them.
        ...(isGvisor ? [rlimit('RLIMIT_NPROC', limits.processes)] : []),
      ],
    },
    mounts: mounts(program, container),
    linux: {
      namespaces: ['pid', 'network', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      ...(isGvisor ? {} : { cgroupsPath: `${groupPath(container.groups)}/program`, seccomp }),
      maskedPaths: ['acpi', 'kcore', 'keys', 'latency_stats', 'scsi', 'timer_list'].map((name) => `/proc/${name}`),
      readonlyPaths: ['bus', 'fs', 'irq', 'sys', 'sysrq-trigger'].map((name) => `/proc/${name}`),
    },
  }
}

/**
 * Sockets belong to the program's user, which must exist on the host: an ordinary user does, mapped to gVisor's root.
 * That is root only in gVisor's kernel, without capabilities.
 */
const userOf = ({ listens }: Program) => (isRootless() && listens ? { uid: 0, gid: 0 } : { uid: nobody, gid: nobody })

function mounts({ binds, listens, limits }: Program, { sockets }: Container) {
  const tmpfs = (destination: string, ...options: string[]) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'noexec', ...options],
  })
  const bind = (destination: string, source: string, ...options: string[]) => ({
    destination,
    type: 'bind',
    source,
    options: ['rbind', 'nosuid', 'nodev', ...options],
  })
  return [
    { destination: '/proc', type: 'proc', source: 'proc', options: ['nosuid', 'noexec', 'nodev'] },
    tmpfs('/dev', 'mode=755', 'size=65536'),
    tmpfs('/tmp', 'nodev', 'mode=1777', `size=${limits.diskBytes}`, `nr_inodes=${inodes(limits.diskBytes)}`),
    ...binds.map(({ from, to }) => bind(to, from, 'ro')),
    ...(listens ? [bind('/sockets', sockets, 'rw', 'noexec')] : []),
  ]
}

/** Even an empty file takes some memory. */
const inodes = (diskBytes: number) => Math.max(64, Math.floor(diskBytes / 4096))

const newUserNamespace = 0x1000_0000

/** System calls that untrusted programs do not need and that were used to exploit kernels. gVisor has none of them. */
const seccomp = {
  defaultAction: 'SCMP_ACT_ALLOW',
  architectures: ['SCMP_ARCH_X86_64', 'SCMP_ARCH_X86', 'SCMP_ARCH_X32', 'SCMP_ARCH_AARCH64', 'SCMP_ARCH_ARM'],
  syscalls: [
    {
      names: [
        ...['add_key', 'keyctl', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd', 'io_uring_setup'],
        ...['io_uring_enter', 'io_uring_register', 'ptrace', 'process_vm_readv', 'process_vm_writev', 'kcmp'],
        ...['mount', 'umount', 'umount2', 'pivot_root', 'fsopen', 'fsmount', 'fspick', 'move_mount', 'open_tree'],
        ...['mount_setattr', 'unshare', 'setns', 'syslog', 'reboot', 'kexec_load', 'kexec_file_load', 'acct'],
        ...['init_module', 'finit_module', 'delete_module', 'open_by_handle_at', 'swapon', 'swapoff', 'vmsplice'],
      ],
      action: 'SCMP_ACT_ERRNO',
    },
    {
      names: ['clone'],
      action: 'SCMP_ACT_ERRNO',
      args: [{ index: 0, value: newUserNamespace, valueTwo: newUserNamespace, op: 'SCMP_CMP_MASKED_EQ' }],
    },
    // Its flags are in memory, which seccomp cannot read. With ENOSYS, libraries fall back to `clone`.
    { names: ['clone3'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 },
  ],
}
