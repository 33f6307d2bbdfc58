import { openSandbox, type RuntimeName } from '../index.ts'
import { systemBinds } from '../program.ts'
import { limits } from './attempt.ts'

/** A node to be killed: it runs a program that stays, and reports when that listens. */
const [, , runtime, state = ''] = process.argv
const sandbox = await openSandbox({ runtime: runtime as RuntimeName, state, onError: console.error })
const stays = `use Socket; $SIG{$_} = 'IGNORE' for qw(TERM HUP INT PIPE); fork();
  socket(my $s, PF_UNIX, SOCK_STREAM, 0); bind($s, pack_sockaddr_un('/sockets/a')) and listen($s, 5); sleep 1 while 1`
const running = await sandbox.start({
  argv: ['/usr/bin/perl', '-e', stays],
  binds: systemBinds(),
  listens: true,
  limits: { ...limits, wallMs: 3_600_000 },
})
process.send?.(await running.socket('a'))
