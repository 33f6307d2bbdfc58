import { watch } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { print, remark, text, UsageError, whole } from '@icosa/module'
import { openRuntimes } from '../../runtimes/index.ts'
import { entryPointOf, pairs } from '../deploy.ts'
import { filesIn, ignored, runtimeOf } from '../folder.ts'
import type { CommandInput } from '../session.ts'
import { toLine } from './line.ts'
import { startProgram } from './program.ts'
import { openReloading, type Reloading } from './reloading.ts'

/** `icosa functions dev hello`: serves a folder on this machine, without a sandbox, and reloads it on each save. */
export async function dev({ words, flags, settings }: CommandInput): Promise<void> {
  const [, given = '.'] = words
  const files = await filesIn(given)
  const folder = await realpath(given)
  const runtimes = openRuntimes(join(homedir(), '.cache', 'icosa', 'functions'), { nodejs22: settings.nodejs22 })
  const runtime = await runtimes.open(text(flags, 'runtime') ?? runtimeOf(files))
  const isEvent = flags['trigger-topic'] !== undefined || flags['trigger-event'] === true
  const debugPort = text(flags, 'debug-port') === undefined ? undefined : whole(flags, 'debug-port', 9229)
  const tail: string[] = []
  const start = () =>
    startProgram({
      ...{ runtime, folder, debugPort, signature: isEvent ? 'cloudevent' : 'http' },
      entryPoint: text(flags, 'entry-point') ?? entryPointOf(basename(folder)),
      environment: pairs(text(flags, 'set-env-vars'), 'set-env-vars'),
      onLine(line, from) {
        tail.push(line)
        tail.splice(0, tail.length - 20)
        print(toLine(line, from))
      },
    })
  const reloading = openReloading(start, tail)
  const server = createServer((incoming, reply) => void serve(reloading, tail, incoming, reply))
  const port = whole(flags, 'port', 8080)
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UsageError(`Port ${port} cannot be used (${error.code}): choose another with --port.`)),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  remark(`http://127.0.0.1:${port} serves ${given} (${runtime.name}); it reloads on save. Ctrl+C ends it.`)
  if (debugPort !== undefined) remark(`A debugger can attach to 127.0.0.1:${debugPort}.`)
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name?.split('/').some((part) => ignored.has(part) || part === 'node_modules' || part.endsWith('.log'))) return
    reloading.reload(`${name ?? 'a file'} was saved`)
  })
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve)
  })
  watcher.close()
  server.closeAllConnections()
  server.close()
  await reloading.stop()
}

/** Forwards a request, which waits while the program starts. */
async function serve(
  reloading: Reloading,
  tail: readonly string[],
  incoming: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const began = performance.now()
  reply.on('close', () => {
    const ms = Math.round(performance.now() - began)
    remark(`${incoming.method} ${incoming.url} ${reply.statusCode}, ${ms} ms`)
  })
  const fail = (message: string) => {
    if (reply.headersSent) return void reply.destroy()
    reply.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' }).end(`${message}\n`)
  }
  const socketPath = await reloading.socket()
  if (socketPath === undefined) return fail(`The function cannot be started.\n${tail.join('\n')}`)
  const { method, url: path, headers } = incoming
  const outgoing = request({ socketPath, method, path, headers, agent: false }, (response) => {
    reply.writeHead(response.statusCode ?? 502, response.headers)
    response.on('error', () => reply.destroy()).pipe(reply)
  })
  outgoing.on('error', (error) => fail(`The function did not answer: ${error.message}`))
  incoming.on('error', () => outgoing.destroy()).pipe(outgoing)
}
