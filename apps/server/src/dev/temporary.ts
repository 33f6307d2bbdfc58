import { fstatSync } from 'node:fs'
import { remark } from '@icosa/module'
import { askedToStop, endSoon } from '../process.ts'
import { openInstance } from '../testkit/start.ts'
import type { StartOptions } from '../testkit/types.ts'
import { tenantEndpoints } from './control/controls.ts'
import { announce } from './run.ts'

interface TemporaryRun {
  readonly services: string | undefined
  readonly port: number
  readonly env: NodeJS.ProcessEnv
  /** Whether to print JSON, for programs. */
  readonly json: boolean
}

/**
 * Runs an instance for tests in other languages: as quick to start as that of \`icosa/testing\`, and gone without a trace
 * with the program that started it, even if that is killed.
 */
export async function runTemporary({ services, port, env, json }: TemporaryRun): Promise<void> {
  const settings = Object.entries(env).filter(([name, value]) => value !== undefined && !apart.has(name))
  await using opened = new AsyncDisposableStack()
  opened.defer(endSoon)
  const { app, development } = await openInstance({
    ...(services !== undefined && { services: services.split(',') as NonNullable<StartOptions['services']> }),
    ...(port !== 0 && { port }),
    env: Object.fromEntries(settings) as Record<string, string>,
    log: (line) => process.stderr.write(line),
  })
  opened.defer(app.close)
  const key = app.service('platform').key
  const endpoints = await tenantEndpoints(development, key, 'dev')
  announce(json, app.url, key, endpoints, development.database.described, '  Ctrl-C ends it and deletes its data.')
  await Promise.race([askedToStop(remark), starterEnded()])
}

/** Settings of a permanent instance, which would put data elsewhere. */
const apart: ReadonlySet<string> = new Set(['DATABASE_URL', 'ICOSA_DATA'])

/** Resolves when the program at the other end of stdin has ended. A terminal or a file has none. */
function starterEnded(): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers()
  const stdin = fstatSync(0)
  if (stdin.isFIFO() || stdin.isSocket()) for (const event of ['end', 'error']) process.stdin.once(event, resolve)
  if (stdin.isFIFO() || stdin.isSocket()) process.stdin.resume()
  return promise
}
