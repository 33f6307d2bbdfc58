import { open, watch } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { isAlive, print, printable, remark, UsageError } from '@icosa/module'
import type { Command } from '../../command.ts'
import type { Config } from '../../config.ts'
import { logIn, runningInstance } from '../../dev/instance.ts'

export function runningOn({ dataDirectory }: Config) {
  const instance = runningInstance(dataDirectory)
  if (!instance)
    throw new UsageError(`No \`icosa dev\` is running on ${dataDirectory}: start one, or name its folder with --data.`)
  return instance
}

export const status: Command = {
  name: 'status',
  usage: 'status [--json]',
  summary: 'Say whether `icosa dev` is running on the data folder, where, and whether it is ready.',
  flags: { json: { type: 'boolean' } },
  audited: false,
  async run({ flags, config }) {
    const instance = runningOn(config)
    const isReady = await fetch(new URL('/readyz', instance.url)).then(
      ({ ok }) => ok,
      () => false,
    )
    if (flags.json === true) return print(JSON.stringify({ ...instance, isReady }))
    const state = isReady ? 'ready' : 'running, but not ready'
    print(`Icosa is ${state} at ${instance.url}, since ${instance.startedAt} (process ${instance.pid}).`)
  },
}

const patienceMs = 60_000

export const stop: Command = {
  name: 'stop',
  usage: 'stop',
  summary: 'Stop the `icosa dev` that is running on the data folder, wherever it was started.',
  flags: {},
  audited: false,
  async run({ config }) {
    const { pid, url } = runningOn(config)
    process.kill(pid, 'SIGTERM')
    const patience = AbortSignal.timeout(patienceMs)
    while (isAlive(pid)) {
      if (patience.aborted) throw new UsageError(`Process ${pid} has not stopped yet: \`kill -9 ${pid}\` ends it.`)
      await setTimeout(50)
    }
    remark(`Stopped ${url}.`)
  },
}

export const logs: Command = {
  name: 'logs',
  usage: 'logs [--follow]',
  summary: 'Print what `icosa dev` on the data folder has said; with --follow, also what it says from now on.',
  flags: { follow: { type: 'boolean' } },
  audited: false,
  async run({ flags, config: { dataDirectory } }) {
    const path = logIn(dataDirectory)
    const file = await open(path).catch(() => {
      throw new UsageError(
        `There is no log in ${dataDirectory}: \`icosa dev\` writes one; --data names another folder.`,
      )
    })
    const text = new TextDecoder()
    const printRest = async () => {
      for (let read = await file.read(); read.bytesRead > 0; read = await file.read())
        process.stdout.write(printable(text.decode(read.buffer.subarray(0, read.bytesRead), { stream: true })))
    }
    await printRest()
    if (flags.follow !== true) return file.close()
    for await (const _ of watch(path)) await printRest()
  },
}
