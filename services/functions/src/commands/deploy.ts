import { setTimeout as sleep } from 'node:timers/promises'
import { print, remark, text, UsageError, whole } from '@icosa/module'
import { zip } from '../build/zip.ts'
import { messagePublished, topicName } from '../events/names.ts'
import { invokerRoles } from '../policies/names.ts'
import { filesIn, runtimeOf } from './folder.ts'
import { type Json, nameIn, openSession, type Said, type Session } from './session.ts'

/** `icosa functions deploy hello --source . --trigger-http`: sends a folder, and says how it goes. */
export async function deploy(said: Said): Promise<void> {
  const { flags } = said
  const name = nameIn(said, 'icosa functions deploy hello --source .')
  const session = await openSession(said)
  const files = await filesIn(text(flags, 'source') ?? '.')
  const content = zip(files)
  remark(`Sending ${files.length} files, ${Math.ceil(content.length / 1024)} KiB ...`)
  const storageSource = await upload(session, content)
  const body = bodyOf(said, session, { storageSource, runtime: text(flags, 'runtime') ?? runtimeOf(files), name })
  const path = `${session.parent}/functions/${name}`
  const isThere = (await session.find(path)) !== undefined
  const begun = isThere
    ? await session.ask('PATCH', path, body)
    : await session.ask('POST', `${session.parent}/functions?functionId=${encodeURIComponent(name)}`, body)
  remark(
    isThere ? 'Building a new revision; the old one serves until it answers ...' : 'Building, and starting it once ...',
  )
  const { error, response } = await ended(session, String(begun.name))
  if (error) throw new UsageError(`${name} was not deployed.\n${Object(error).message}`)
  if (flags['allow-unauthenticated'] === true) await allowEverybody(session, path)
  const { serviceConfig = {} } = Object(response)
  if (flags.json === true) return print(JSON.stringify(response))
  remark(`${name} is ready, as ${serviceConfig.revision}.`)
  print(serviceConfig.uri)
}

async function upload(session: Session, content: Uint8Array): Promise<unknown> {
  const { uploadUrl, storageSource } = await session.ask('POST', `${session.parent}/functions:generateUploadUrl`, {})
  const headers = { 'content-type': 'application/zip' }
  const sent = await fetch(String(uploadUrl), { method: 'PUT', headers, body: new Uint8Array(content) })
  if (!sent.ok) throw new UsageError(`The source was not taken: ${await sent.text()}`)
  return storageSource
}

interface Wanted {
  readonly name: string
  readonly runtime: string
  readonly storageSource: unknown
}

/** Only what was said: what a function has already stays as it is. */
function bodyOf({ flags }: Said, { project }: Session, { name, runtime, storageSource }: Wanted): Json {
  const entryPoint = text(flags, 'entry-point') ?? name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  const topic = text(flags, 'trigger-topic')
  const number = (flag: string) => (text(flags, flag) === undefined ? undefined : whole(flags, flag, 0))
  const secrets = Object.entries(pairs(text(flags, 'set-secrets'), 'set-secrets')).map(([key, said]) => {
    const [secret, version = 'latest'] = said.split(':')
    return { key, secret, version }
  })
  return {
    buildConfig: { runtime, entryPoint, source: { storageSource } },
    serviceConfig: {
      availableMemory: text(flags, 'memory'),
      availableCpu: text(flags, 'cpu'),
      timeoutSeconds: number('timeout'),
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

/** `A=1,B=2`. */
function pairs(words: string | undefined, flag: string): Record<string, string> {
  const all = words === undefined ? [] : words.split(',')
  return Object.fromEntries(
    all.map((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError(`--${flag} has '${pair}': write NAME=VALUE,NAME=VALUE.`)
      return [name, value]
    }),
  )
}

async function ended(session: Session, operation: string): Promise<Json> {
  for (;;) {
    const state = await session.ask('GET', operation)
    if (state.done === true) return state
    await sleep(300)
  }
}

async function allowEverybody(session: Session, path: string): Promise<void> {
  const bindings = [{ role: invokerRoles[0], members: ['allUsers'] }]
  await session.ask('POST', `${path}:setIamPolicy`, { policy: { bindings } })
}
