import { setTimeout } from 'node:timers/promises'
import { isStillAlive, print, remark, table, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import type { Endpoint } from '../../dev/endpoints.ts'
import { runningInstance, trustAuthority } from '../../dev/instance.ts'

export function runningOn({ dataDirectory }: Config) {
  const instance = runningInstance(dataDirectory)
  if (!instance)
    throw new UsageError(`No \`icosa dev\` is running on ${dataDirectory}: start one, or name its folder with --data.`)
  return instance
}

export const status: Command = {
  name: 'status',
  usage: 'status [--all] [--json]',
  summary:
    'Show whether `icosa dev` is running on the data folder, its address, and whether it is ready; with --all, also every API with its credential. Fails unless it is ready.',
  flags: { all: { type: 'boolean' }, json: { type: 'boolean' } },
  audited: false,
  async run({ flags, config }) {
    const instance = runningOn(config)
    const { pid, url, startedAt } = instance
    trustAuthority(config.dataDirectory)
    const isReady = await fetch(new URL('/readyz', url)).then(
      ({ ok }) => ok,
      () => false,
    )
    if (!isReady) process.exitCode = 1
    const { controlOf } = await import('../../dev/control/client.ts')
    const apis = flags.all === true ? await controlOf(instance).endpoints() : undefined
    if (flags.json === true) return print(JSON.stringify({ pid, url, startedAt, isReady, apis }))
    print(`Icosa is ${isReady ? 'ready' : 'running, but not ready'} at ${url}, since ${startedAt} (process ${pid}).`)
    if (apis) print(`\n${table(['', 'API', 'credential'], apis.map(rowOf))}`)
  },
}

const rowOf = ({ service, url, credentials }: Endpoint) => [service ?? '', url, shown(credentials)]

function shown({ header, key, accessKeyId, secretAccessKey, region }: Endpoint['credentials']): string {
  if (accessKeyId) return `signed by ${accessKeyId} ${secretAccessKey} ${region}`
  return header ? `${header}: ${key}` : 'no credential'
}

const patienceMs = 60_000

export const stop: Command = {
  name: 'stop',
  usage: 'stop',
  summary: 'Stop the `icosa dev` that is running on the data folder, wherever it was started.',
  flags: {},
  audited: false,
  async run({ config }) {
    const { pid, start, url } = runningOn(config)
    process.kill(pid, 'SIGTERM')
    const patience = AbortSignal.timeout(patienceMs)
    while (isStillAlive(pid, start)) {
      if (patience.aborted) throw new UsageError(`Process ${pid} has not stopped yet: \`kill -9 ${pid}\` ends it.`)
      await setTimeout(50)
    }
    remark(`Stopped ${url}.`)
  },
}
