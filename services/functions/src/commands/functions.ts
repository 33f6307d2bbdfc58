import { setTimeout as sleep } from 'node:timers/promises'
import { virtualClock } from '@icosa/kernel'
import { print, remark, type ServiceCommand, table, text, UsageError, whole } from '@icosa/module'
import { setSecret } from '../secrets/secrets.ts'
import * as secrets from '../secrets/store.ts'
import type { Values } from '../settings.ts'
import { deploy } from './deploy.ts'
import { type Json, nameIn, openSession, type Said } from './session.ts'

const string = { type: 'string' } as const
const boolean = { type: 'boolean' } as const
/** All of them: even to read, they act with a token of the tenant that they issue to themselves. */
const whose = ['tenant', 'project', 'location']

export const functions: ServiceCommand<Values> = {
  name: 'functions',
  usage:
    'functions deploy NAME [--source .] [--trigger-http | --trigger-topic TOPIC [--retry]] [--runtime R] [--entry-point E] [--memory 256M] [--set-env-vars A=1] [--set-secrets A=SECRET] [--allow-unauthenticated] | call NAME [--body JSON] | logs NAME [--follow] | list | events NAME | delete NAME | secrets set NAME | secrets list  [--tenant dev] [--project P] [--location L]',
  summary:
    'Deploy a folder as a function, call it, follow what it prints, list events that it refused, keep its secrets.',
  flags: {
    tenant: { ...string, default: 'dev' },
    ...{ project: string, location: string, source: string, runtime: string, 'entry-point': string },
    ...{ 'trigger-http': boolean, 'trigger-topic': string, retry: boolean, 'allow-unauthenticated': boolean },
    ...{ memory: string, cpu: string, timeout: string, concurrency: string },
    ...{ 'min-instances': string, 'max-instances': string, 'set-env-vars': string, 'set-secrets': string },
    ...{ body: string, path: string, follow: boolean, last: string, value: string, json: boolean },
  },
  audited: {
    ...{ deploy: whose, call: whose, logs: whose, list: whose, events: whose, delete: whose },
    secrets: ([, action]) => action !== 'list' && whose,
  },
  async run(said) {
    const action = actions[said.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${functions.usage}`)
    await action(said)
  },
}

const actions: Readonly<Record<string, (said: Said) => Promise<void>>> = {
  deploy,

  async call(said) {
    const name = nameIn(said, 'icosa functions call hello')
    const session = await openSession(said)
    const { serviceConfig } = await session.ask('GET', `${session.parent}/functions/${name}`)
    const body = text(said.flags, 'body')
    const headers = { authorization: `Bearer ${session.token}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${Object(serviceConfig).uri}${text(said.flags, 'path') ?? ''}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body }),
    })
    print(await response.text())
    remark(`${response.status}, invocation ${response.headers.get('function-execution-id')}`)
    if (!response.ok) process.exitCode = 1
  },

  async logs(said) {
    const name = nameIn(said, 'icosa functions logs hello --follow')
    const session = await openSession(said)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    let query = `pageSize=${whole(said.flags, 'last', 100)}`
    do {
      const { lines, nextPageToken } = await session.ask('GET', `${session.parent}/functions/${name}/logs?${query}`)
      for (const line of lines as LogLine[]) print(said.flags.json === true ? JSON.stringify(line) : lineOf(line))
      query = `pageSize=1000&pageToken=${encodeURIComponent(String(nextPageToken))}`
      if (said.flags.follow === true) await sleep(500, undefined, { signal: stop.signal }).catch(() => {})
    } while (said.flags.follow === true && !stop.signal.aborted)
  },

  async list(said) {
    const session = await openSession(said)
    const location = text(said.flags, 'location') ?? '-'
    const all = await session.ask('GET', `projects/${session.project}/locations/${location}/functions`)
    if (said.flags.json === true) return print(JSON.stringify(all.functions))
    const rows = (all.functions as Json[]).map((one) => {
      const { runtime } = Object(one.buildConfig)
      const trigger = one.eventTrigger ? String(Object(one.eventTrigger).pubsubTopic) : String(one.url)
      return [String(one.name).split('/').at(-1) ?? '', String(one.state), String(runtime), trigger]
    })
    if (rows.length === 0)
      return remark(
        `The project ${session.project} has no functions: --project names another, \`icosa functions deploy\` makes one.`,
      )
    print(table(['name', 'state', 'runtime', 'called by'], rows))
  },

  async events(said) {
    const name = nameIn(said, 'icosa functions events hello')
    const session = await openSession(said)
    const { failedEvents } = await session.ask('GET', `${session.parent}/functions/${name}/failedEvents`)
    if (said.flags.json === true) return print(JSON.stringify(failedEvents))
    const rows = (failedEvents as Json[]).map((one) => [one.failTime, one.id, one.attempts, one.reason].map(String))
    if (rows.length === 0) return remark(`${name} has taken every event.`)
    print(table(['given up', 'event', 'attempts', 'reason'], rows))
  },

  async delete(said) {
    const name = nameIn(said, 'icosa functions delete hello')
    const session = await openSession(said)
    await session.ask('DELETE', `${session.parent}/functions/${name}`)
    remark(`${name} is being deleted.`)
  },

  secrets: secretsAction,
}

interface LogLine {
  readonly time: string
  readonly stream: string
  readonly text: string
  readonly invocation?: string
}

const lineOf = ({ time, stream, text: said, invocation = '-' }: LogLine) =>
  [time, invocation.padEnd(12), stream === 'stdout' ? '' : `${stream}:`, said].filter(Boolean).join('  ')

/** In the database itself: a secret goes through no request. */
async function secretsAction({ words, flags, withDatabase, vaultOf }: Said): Promise<void> {
  const [, action, name] = words
  const tenant = text(flags, 'tenant') ?? 'dev'
  const project = text(flags, 'project') ?? tenant
  if (action === 'list') {
    const all = await withDatabase((database) => secrets.list(database, tenant))
    const rows = all.map((one) => [one.project, one.name, String(one.versions), one.latest.toISOString()])
    return print(table(['project', 'name', 'versions', 'latest'], rows))
  }
  if (action !== 'set' || name === undefined || !/^[\w-]{1,255}$/.test(name))
    throw new UsageError('Usage: icosa functions secrets set NAME [--value V], or the value on stdin | secrets list')
  const value = text(flags, 'value') ?? (await stdin())
  const version = await withDatabase(async (database) =>
    setSecret(
      { database, vault: await vaultOf(database), clock: await virtualClock(database) },
      tenant,
      { project, name },
      value,
    ),
  )
  remark(`${name} of ${project} is version ${version}. Functions see it when they are next started.`)
}

async function stdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8').replace(/\n$/, '')
}
