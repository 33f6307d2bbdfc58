import { nobody } from './program.ts'
import type { Runtime } from './runtime.ts'

/** Bubblewrap is not an OCI runtime: it gets the same container by arguments, and is stateless. */
export const bubblewrap: Runtime = {
  name: 'bwrap',
  bounds: ({ memoryBytes, processes }) => ({ memoryBytes: memoryBytes + 8 * 2 ** 20, processes: processes + 4 }),
  async prepare({ argv, env = {}, cwd = '/', binds, listens, limits }, { sockets }) {
    return [
      // A user namespace created by root would map the user nobody to the host's root.
      ...['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--'],
      ...[
        'bwrap',
        '--unshare-all',
        '--unshare-user',
        '--disable-userns',
        '--die-with-parent',
        '--new-session',
        '--cap-drop',
        'ALL',
      ],
      ...['--uid', String(nobody), '--gid', String(nobody), '--hostname', 'sandbox', '--clearenv'],
      ...Object.entries(env).flatMap(([key, value]) => ['--setenv', key, value]),
      ...['--proc', '/proc', '--dev', '/dev'],
      ...['--perms', '1777', '--size', String(limits.diskBytes), '--tmpfs', '/tmp'],
      ...binds.flatMap(({ from, to }) => ['--ro-bind', from, to]),
      ...(listens ? ['--bind', sockets, '/sockets'] : []),
      ...['--remount-ro', '/', '--chdir', cwd, '--', ...argv],
    ]
  },
  async forget() {},
}
