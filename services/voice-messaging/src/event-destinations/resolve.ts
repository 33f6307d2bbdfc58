import { join } from 'node:path'
import { subjectPart } from '@icosa/brokers'
import { parseArn } from '@icosa/dialects/signed/arn'
import { invalid } from '@icosa/kernel'
import { destinationArns } from '../names.ts'
import type { VoiceSettings } from '../settings.ts'
import type { Destination } from './destination.ts'

/** Actual target of events. */
export type ResolvedDestination =
  | { readonly kind: 'log'; readonly group: string; readonly file: string | undefined }
  | { readonly kind: 'stream'; readonly url: string }
  | { readonly kind: 'topic'; readonly broker: string; readonly subject: string }

type Settings = Pick<VoiceSettings, 'logs' | 'streams' | 'topics'>

/** Resolves the last part of an ARN within the tenant; region and account are ignored. */
export function resolveDestination(
  tenant: string,
  { kind, arn }: Pick<Destination, 'kind' | 'arn'>,
  { logs, streams, topics }: Settings,
): ResolvedDestination {
  const name = nameIn(kind, arn)
  switch (kind) {
    case 'log': {
      const file = `${encodeURIComponent(name)}.log`
      if (file.length > 250) refuse(`names a log group that is too long: use a shorter name`)
      return { kind, group: name, file: logs === 'stdout' ? undefined : join(logs, encodeURIComponent(tenant), file) }
    }
    case 'stream': {
      const key = [`${tenant}/${name}`, name].find((candidate) => Object.hasOwn(streams, candidate))
      const url = key === undefined ? name : (streams[key] ?? '')
      return { kind, url: isUrl(url) ? url : unknownStream(name) }
    }
    case 'topic':
      return { kind, broker: topics, subject: `voice.${subjectPart(tenant)}.${subjectPart(name)}` }
  }
}

const names = {
  log: /^[\w./#-]{1,512}$/,
  stream: /^([\w.-]{1,64}|https?:\/\/[!-~]+)$/,
  topic: /^[\w-]{1,256}(\.fifo)?$/,
}

function nameIn(kind: Destination['kind'], arn: string): string {
  const { service, prefix } = destinationArns[kind]
  const parsed = parseArn(arn)
  const name = parsed?.resource.startsWith(prefix) ? parsed.resource.slice(prefix.length) : ''
  const plain = kind === 'log' ? name.replace(/:\*$/, '') : name
  if (parsed?.service !== service || !names[kind].test(plain))
    refuse(`has the ARN '${arn}': it must look like arn:aws:${service}:us-east-1:account:${prefix}name`)
  return plain
}

/** A stream's name may be a URL, which is called through the SSRF-guarded fetch. */
const isUrl = (name: string) => /^https?:$/.test(URL.parse(name)?.protocol ?? '')

function unknownStream(name: string): never {
  return refuse(
    `names the stream '${name}', which has no address: ask the operator to set one, or use an address ` +
      'instead of the name, as in deliverystream/https://collector.example/events',
  )
}

function refuse(message: string): never {
  invalid([{ at: 'body/EventDestination', message }])
}
