import { setTimeout as sleep } from 'node:timers/promises'
import { virtualClock } from '@icosa/kernel'
import { print, remark, type ServiceCommand, table, text, UsageError, whole } from '@icosa/module'
import { setSecret } from '../secrets/secrets.ts'
import * as secrets from '../secrets/store.ts'
import type { Values } from '../settings.ts'
import { deploy } from './deploy.ts'
import { dev } from './dev/dev.ts'
import { serviceAccounts } from './service-accounts.ts'
import { type CommandInput, type Json, nameIn, openSession } from './session.ts'

const string = { type: 'string' } as const
const boolean = { type: 'boolean' } as const
/** All actions are audited: even to read, they issue themselves a token of the tenant. */
const auditedFlags = ['tenant', 'project', 'location']

export const functions: ServiceCommand<Values> = {
  name: 'functions',
  usage:
    'functions deploy NAME [--source .] [--trigger-http | --trigger-topic TOPIC [--retry]] [--runtime R] [--entry-point E] [--memory 256M] [--set-env-vars A=1] [--set-secrets A=SECRET] [--service-account S] [--vpc-connector C [--egress-settings all]] [--kms-key K] [--allow-unauthenticated] | dev [FOLDER] [--port 8080] [--debug-port P] [--trigger-event] [--entry-point E] [--set-env-vars A=1] | call NAME [--body JSON] | logs NAME [--follow] | list | events NAME | revisions NAME | rollback NAME [--revision R] | delete NAME | secrets set NAME | secrets list | service-accounts create NAME [--permissions P] | service-accounts delete NAME | service-accounts list  [--tenant dev] [--project P] [--location L]',
  summary:
    'Run a folder locally, deploy it as a function, call it, roll it back, follow its log, list abandoned events, manage secrets and service accounts.',
  flags: {
    tenant: { ...string, default: 'dev' },
    ...{ project: string, location: string, source: string, runtime: string, 'entry-point': string },
    ...{ 'trigger-http': boolean, 'trigger-topic': string, retry: boolean, 'allow-unauthenticated': boolean },
    ...{ memory: string, cpu: string, timeout: string, concurrency: string },
    ...{ 'min-instances': string, 'max-instances': string, 'set-env-vars': string, 'set-secrets': string },
    ...{ 'service-account': string, 'vpc-connector': string, 'egress-settings': string, permissions: string },
    'kms-key': string,
    ...{ port: string, 'debug-port': string, 'trigger-event': boolean },
    ...{ revision: string, body: string, path: string, follow: boolean, last: string, value: string, json: boolean },
  },
  audited: {
    ...{
      deploy: auditedFlags,
      dev: false,
      call: auditedFlags,
      logs: auditedFlags,
      list: auditedFlags,
      events: auditedFlags,
      revisions: auditedFlags,
      rollback: [...auditedFlags, 'revision'],
      delete: auditedFlags,
    },
    secrets: ([, action]) => action !== 'list' && auditedFlags,
    'service-accounts': ([, action]) => action !== 'list' && [...auditedFlags, 'permissions'],
  },
  async run(input) {
    const action = actions[input.words[0] ?? '']
    if (!action) throw new UsageError(`Usage: icosa ${functions.usage}`)
    await action(input)
  },
}

const actions: Readonly<Record<string, (input: CommandInput) => Promise<void>>> = {
  deploy,
  dev,

  async call(input) {
    const name = nameIn(input, 'icosa functions call hello')
    const session = await openSession(input)
    const { serviceConfig } = await session.ask('GET', `${session.parent}/functions/${name}`)
    const body = text(input.flags, 'body')
    const headers = { authorization: `Bearer ${session.token}`, ...(body && { 'content-type': 'application/json' }) }
    const response = await fetch(`${Object(serviceConfig).uri}${text(input.flags, 'path') ?? ''}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body }),
    })
    print(await response.text())
    remark(`${response.status}, invocation ${response.headers.get('function-execution-id')}`)
    if (!response.ok) process.exitCode = 1
  },

  async logs(input) {
    const name = nameIn(input, 'icosa functions logs hello --follow')
    const session = await openSession(input)
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    let query = `pageSize=${whole(input.flags, 'last', 100)}`
    do {
      const { lines, nextPageToken } = await session.ask('GET', `${session.parent}/functions/${name}/logs?${query}`)
      for (const line of lines as LogLine[]) print(input.flags.json === true ? JSON.stringify(line) : lineOf(line))
      query = `pageSize=1000&pageToken=${encodeURIComponent(String(nextPageToken))}`
      if (input.flags.follow === true) await sleep(500, undefined, { signal: stop.signal }).catch(() => {})
    } while (input.flags.follow === true && !stop.signal.aborted)
  },

  async list(input) {
    const session = await openSession(input)
    const location = text(input.flags, 'location') ?? '-'
    const list = await session.ask('GET', `projects/${session.project}/locations/${location}/functions`)
    if (input.flags.json === true) return print(JSON.stringify(list.functions))
    const rows = (list.functions as Json[]).map(({ name, state, url, buildConfig, eventTrigger }) => {
      const { runtime } = Object(buildConfig)
      const { pubsubTopic, eventType } = Object(eventTrigger)
      const trigger = String(pubsubTopic ?? eventType ?? url)
      return [String(name).split('/').at(-1) ?? '', String(state), String(runtime), trigger]
    })
    if (rows.length === 0)
      return remark(
        `The project ${session.project} has no functions: create one with \`icosa functions deploy\`, or select another project with --project.`,
      )
    print(table(['name', 'state', 'runtime', 'called by'], rows))
  },

  async events(input) {
    const name = nameIn(input, 'icosa functions events hello')
    const session = await openSession(input)
    const { failedEvents } = await session.ask('GET', `${session.parent}/functions/${name}/failedEvents`)
    if (input.flags.json === true) return print(JSON.stringify(failedEvents))
    const rows = (failedEvents as Json[]).map((event) =>
      [event.failTime, event.id, event.attempts, event.reason].map(String),
    )
    if (rows.length === 0) return remark(`${name} has no abandoned events.`)
    print(table(['abandoned', 'event', 'attempts', 'reason'], rows))
  },

  async revisions(input) {
    const name = nameIn(input, 'icosa functions revisions hello')
    const session = await openSession(input)
    const { revisions } = await session.ask('GET', `${session.parent}/functions/${name}/revisions`)
    if (input.flags.json === true) return print(JSON.stringify(revisions))
    const rows = (revisions as Json[]).map(({ id, createTime, runtime, isServing }) =>
      [id, createTime, runtime, isServing ? 'yes' : ''].map(String),
    )
    print(table(['revision', 'created', 'runtime', 'serving'], rows))
  },

  async rollback(input) {
    const name = nameIn(input, 'icosa functions rollback hello')
    const session = await openSession(input)
    const revision = text(input.flags, 'revision')
    const path = `${session.parent}/functions/${name}:moveTraffic`
    const { serviceConfig } = await session.ask('POST', path, revision === undefined ? {} : { revision })
    remark(`${name} is served by ${Object(serviceConfig).revision}.`)
  },

  async delete(input) {
    const name = nameIn(input, 'icosa functions delete hello')
    const session = await openSession(input)
    await session.ask('DELETE', `${session.parent}/functions/${name}`)
    remark(`${name} is being deleted.`)
  },

  secrets: secretsAction,
  'service-accounts': serviceAccounts,
}

interface LogLine {
  readonly time: string
  readonly stream: string
  readonly text: string
  readonly invocation?: string
}

const lineOf = ({ time, stream, text: message, invocation = '-' }: LogLine) =>
  [time, invocation.padEnd(12), stream === 'stdout' ? '' : `${stream}:`, message].filter(Boolean).join('  ')

/** Accesses the database directly, so that secrets are in no request. */
async function secretsAction({ words, flags, withDatabase, vaultOf }: CommandInput): Promise<void> {
  const [, action, name] = words
  const tenant = text(flags, 'tenant') ?? 'dev'
  const project = text(flags, 'project') ?? tenant
  if (action === 'list') {
    const list = await withDatabase((database) => secrets.list(database, tenant))
    const rows = list.map((secret) => [
      secret.project,
      secret.name,
      String(secret.versions),
      secret.latest.toISOString(),
    ])
    return print(table(['project', 'name', 'versions', 'latest'], rows))
  }
  if (action !== 'set' || name === undefined || !/^[\w-]{1,255}$/.test(name))
    throw new UsageError('Usage: icosa functions secrets set NAME [--value V], or the value on stdin | secrets list')
  const value = text(flags, 'value') ?? (await stdin())
  const version = await withDatabase(async (database) =>
    setSecret(
      { database, cellVault: await vaultOf(database), clock: await virtualClock(database) },
      tenant,
      { project, name },
      value,
    ),
  )
  remark(`${name} of ${project} is version ${version}. Functions get it at their next start.`)
}

async function stdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8').replace(/\n$/, '')
}
