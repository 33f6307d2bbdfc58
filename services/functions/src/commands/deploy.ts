import { setTimeout as sleep } from 'node:timers/promises'
import { print, remark, text, UsageError, whole } from '@icosa/module'
import { zip } from '../build/zip.ts'
import { messagePublished, topicName } from '../events/names.ts'
import { emailOf } from '../identities/email.ts'
import { invokerRoles } from '../policies/names.ts'
import { filesIn, runtimeOf } from './folder.ts'
import { type CommandInput, type Json, nameIn, openSession, type Session } from './session.ts'

/** `icosa functions deploy hello --source . --trigger-http`: uploads a folder and reports progress. */
export async function deploy(input: CommandInput): Promise<void> {
  const { flags } = input
  const name = nameIn(input, 'icosa functions deploy hello --source .')
  const session = await openSession(input)
  const files = await filesIn(text(flags, 'source') ?? '.')
  const content = zip(files)
  remark(`Uploading ${files.length} files, ${Math.ceil(content.length / 1024)} KiB ...`)
  const kmsKeyName = text(flags, 'kms-key')
  const storageSource = await upload(session, content, kmsKeyName)
  const body = bodyOf(input, session, { storageSource, runtime: text(flags, 'runtime') ?? runtimeOf(files), name })
  const path = `${session.parent}/functions/${name}`
  const isUpdate = (await session.find(path)) !== undefined
  const operation = isUpdate
    ? await session.ask('PATCH', path, body)
    : await session.ask('POST', `${session.parent}/functions?functionId=${encodeURIComponent(name)}`, body)
  remark(isUpdate ? 'Building a new revision; the old one serves until it is ready ...' : 'Building and starting ...')
  const { error, response } = await waitForOperation(session, String(operation.name))
  if (error) throw new UsageError(`${name} was not deployed.\n${Object(error).message}`)
  if (flags['allow-unauthenticated'] === true) await allowAnonymous(session, path)
  const { serviceConfig = {} } = Object(response)
  if (flags.json === true) return print(JSON.stringify(response))
  remark(`${name} is ready, as ${serviceConfig.revision}.`)
  print(serviceConfig.uri)
}

async function upload(session: Session, content: Uint8Array, kmsKeyName: string | undefined): Promise<unknown> {
  const { uploadUrl, storageSource } = await session.ask('POST', `${session.parent}/functions:generateUploadUrl`, {
    kmsKeyName,
  })
  const headers = { 'content-type': 'application/zip' }
  const response = await fetch(String(uploadUrl), { method: 'PUT', headers, body: new Uint8Array(content) })
  if (!response.ok) throw new UsageError(`The source was not accepted: ${await response.text()}`)
  return storageSource
}

interface Deployment {
  readonly name: string
  readonly runtime: string
  readonly storageSource: unknown
}

/** `two-words` is exported as `twoWords`. */
export const entryPointOf = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** Contains only the given options: others keep their values. */
function bodyOf({ flags }: CommandInput, { project }: Session, { name, runtime, storageSource }: Deployment): Json {
  const entryPoint = text(flags, 'entry-point') ?? entryPointOf(name)
  const topic = text(flags, 'trigger-topic')
  const account = text(flags, 'service-account')
  const number = (flag: string) => (text(flags, flag) === undefined ? undefined : whole(flags, flag, 0))
  const secrets = Object.entries(pairs(text(flags, 'set-secrets'), 'set-secrets')).map(([key, reference]) => {
    const [secret, version = 'latest'] = reference.split(':')
    return { key, secret, version }
  })
  const kmsKeyName = text(flags, 'kms-key')
  return {
    ...(kmsKeyName && { kmsKeyName }),
    buildConfig: { runtime, entryPoint, source: { storageSource } },
    serviceConfig: {
      availableMemory: text(flags, 'memory'),
      availableCpu: text(flags, 'cpu'),
      timeoutSeconds: number('timeout'),
      ...(account && { serviceAccountEmail: account.includes('@') ? account : emailOf({ project, name: account }) }),
      vpcConnector: text(flags, 'vpc-connector'),
      vpcConnectorEgressSettings: egressSettings(text(flags, 'egress-settings')),
      minInstanceCount: number('min-instances'),
      maxInstanceCount: number('max-instances'),
      maxInstanceRequestConcurrency: number('concurrency'),
      ...(text(flags, 'set-env-vars') && { environmentVariables: pairs(text(flags, 'set-env-vars'), 'set-env-vars') }),
      ...(secrets.length > 0 && { secretEnvironmentVariables: secrets }),
    },
    ...(topic && {
      eventTrigger: {
        eventType: messagePublished,
        pubsubTopic: topic.includes('/') ? topic : topicName(project, topic),
        retryPolicy: flags.retry === true ? 'RETRY_POLICY_RETRY' : 'RETRY_POLICY_DO_NOT_RETRY',
      },
    }),
  }
}

/** Accepts `all`, `private-ranges-only` and the names of the API. */
const egressSettings = (words: string | undefined) =>
  words === 'all' ? 'ALL_TRAFFIC' : words?.toUpperCase().replaceAll('-', '_')

/** Parses `A=1,B=2`. */
export function pairs(words: string | undefined, flag: string): Record<string, string> {
  const list = words === undefined ? [] : words.split(',')
  return Object.fromEntries(
    list.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(`--${flag} has '${pair}': write NAME=VALUE,NAME=VALUE.`)
      return [name, value]
    }),
  )
}

async function waitForOperation(session: Session, operation: string): Promise<Json> {
  for (;;) {
    const state = await session.ask('GET', operation)
    if (state.done === true) return state
    await sleep(300)
  }
}

async function allowAnonymous(session: Session, path: string): Promise<void> {
  const bindings = [{ role: invokerRoles[0], members: ['allUsers'] }]
  await session.ask('POST', `${path}:setIamPolicy`, { policy: { bindings } })
}
