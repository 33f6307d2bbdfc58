import { fork } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openSandbox, type RuntimeName, type Sandbox } from '../index.ts'
import { limits, program } from './attempt.ts'
import type { TestHost } from './test-host.ts'
import { programsIn, tracesOf } from './traces.ts'

/** An attempt with the host's participation. Returns what was reached. */
export interface Staged {
  readonly name: string
  play(sandbox: Sandbox, host: TestHost, runtime: RuntimeName): Promise<readonly string[]>
}

const connects = async (path: string) => {
  const socket = connect(path)
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  })
  socket.destroy()
  return isOpen
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(10)
}

const statOf = (path: string) => {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

export const staged: readonly Staged[] = [
  {
    name: 'leave a kernel key for another program',
    async play(sandbox, host) {
      const key = `'user', '${host.canary}'`
      const leaves = `call('add_key', ${key}, 'word', 4, -4); call('add_key', ${key}, 'word', 4, -5);`
      const finds = `for my $ring (-4, -5) { reached($ring) if call('keyctl', 10, $ring, ${key}, 0) > 0 }`
      const leaving = await sandbox.run(program({ tries: () => leaves }, host))
      const searching = await sandbox.run(program({ tries: () => finds }, host))
      if (![leaving, searching].every(({ stdout }) => stdout.includes('TRIED')))
        throw new Error(`${leaving.stderr}${searching.stderr}`)
      return searching.stdout.includes('REACHED') ? ['key'] : []
    },
  },
  {
    name: 'redirect the host to another socket by a symlink',
    async play(sandbox, host) {
      const swaps = `socket(my $s, PF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un('/sockets/a')); listen($s, 5);
        accept(my $c, $s); unlink '/sockets/a'; symlink '${host.offered}/host.sock', '/sockets/a'; print "$!\\n";
        open(my $f, '>', '/sockets/swapped'); sleep 1 while 1;`
      const running = await sandbox.start(program({ tries: () => swaps, listens: true }, host))
      const path = await running.socket('a')
      await until(() => statOf(`${dirname(path)}/swapped`) !== undefined)
      const isRedirected = (await connects(path)) && statOf(path)?.isSymbolicLink()
      const { ended } = await running.stop()
      if (ended !== 'stopped') throw new Error(`It ended too early: ${ended}`)
      return isRedirected || host.connections() > 0 ? ['connection'] : []
    },
  },
  {
    name: 'run past its deadline',
    async play(sandbox, host) {
      const stays = `$SIG{$_} = 'IGNORE' for grep { !/^(KILL|STOP|NUM\\d+)$/ } keys %SIG; fork(); 1 while 1;`
      const endless = program({ tries: () => stays }, host)
      const running = await sandbox.start({ ...endless, limits: { ...limits, wallMs: 800 } })
      const ids = programsIn(host.state).map(({ id }) => id)
      const { ended } = await running.done
      if (ids.length === 0 || ended !== 'time') throw new Error(`It did not stay: ${ended}`)
      return tracesOf(host.state, ids)
    },
  },
  {
    name: 'leave a process behind',
    async play(sandbox, host) {
      const leaves = `for (1 .. 3) { next if fork(); POSIX::setsid(); fork() and exit;
          $SIG{$_} = 'IGNORE' for qw(TERM HUP INT); sleep 1 while 1 } sleep 1;`
      const running = await sandbox.start(program({ tries: () => leaves }, host))
      const ids = programsIn(host.state).map(({ id }) => id)
      const { ended, stdout } = await running.done
      if (ids.length === 0 || ended !== 'exit' || !stdout.includes('TRIED'))
        throw new Error(`It left no process: ${ended}`)
      return tracesOf(host.state, ids)
    },
  },
  {
    name: 'outlive a killed node',
    async play(sandbox, host, runtime) {
      const node = fork(new URL('node.ts', import.meta.url), [runtime, host.state])
      const [path] = (await once(node, 'message')) as [string]
      const ids = programsIn(host.state).map(({ id }) => id)
      await sandbox.sweep()
      const isSpared = await connects(path)
      node.kill('SIGKILL')
      await once(node, 'exit')
      const next = await openSandbox({ runtime, state: host.state, onError: console.error }) // a new node sweeps
      await next.close()
      if (ids.length === 0 || !isSpared) throw new Error('A program of a living node was ended.')
      return [...tracesOf(host.state, ids), ...(statOf(path) ? ['socket'] : [])]
    },
  },
]
