import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { openSandbox, sandboxNote, sandboxProblem, systemBinds } from '../index.ts'
import { limits } from './attempt.ts'

/** Runs a server in a sandbox as an ordinary user, and sends its replies. */
const [, , state = ''] = process.argv
const sandbox = await openSandbox({ state: `${state}/state`, onError: console.error })
const server = `require('http').createServer(({ url }, reply) => reply.end(url)).listen('/sockets/http')`
const running = await sandbox.start({
  argv: ['/node', '-e', server],
  binds: [...systemBinds(), { from: process.execPath, to: '/node' }],
  listens: true,
  limits: { ...limits, cpus: 1 },
})
const socketPath = await running.socket('http')
await running.limitCpus(0.5)

async function call(path: string) {
  const [reply] = (await once(request({ socketPath, path }).end(), 'response')) as [IncomingMessage]
  return (await reply.toArray()).join('')
}

const replies = [await call('/a'), await call('/b')]
await sandbox.close()
process.send?.({
  replies,
  refusal: await sandboxProblem('bwrap'),
  problem: await sandboxProblem(),
  note: sandboxNote('runsc'),
})
process.disconnect()
