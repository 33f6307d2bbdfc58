import { randomUUID } from 'node:crypto'
import type { Static } from '@icosa/contract'
import { invalid } from '@icosa/kernel'
import type { CloudEvent } from './contract.ts'
import type { Event } from './event.ts'

type Published = Static<typeof CloudEvent>

export const channelName = (project: string, location: string, channel: string) =>
  `projects/${project}/locations/${location}/channels/${channel}`

export const isChannelName = (name: string) =>
  /^projects\/[a-z0-9][a-z0-9.-]{0,62}\/locations\/[a-z][a-z0-9-]{0,62}\/channels\/[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(
    name,
  )

const reserved = ['id', 'source', 'specversion', 'type', 'data', 'datacontenttype']

/** An event of a channel. Its id is its publisher's, so that it need not be unique. */
export function eventIn(channel: string, published: Published, index: number, now: Date): Event {
  const { id, type, source, attributes = {}, textData = '{}' } = published
  const at = `body/events/${index}`
  const wrong = Object.keys(attributes).find((name) => !/^[a-z0-9]{1,20}$/.test(name) || reserved.includes(name))
  if (wrong !== undefined)
    invalid([
      {
        at: `${at}/attributes`,
        message: `has '${wrong}': names are 1 to 20 lower-case letters and digits, and not ${reserved.join(', ')}`,
      },
    ])
  if (!isJson(textData))
    invalid([{ at: `${at}/textData`, message: 'must be a JSON object or list, as runtimes expect' }])
  const extensions = Object.fromEntries(Object.entries(attributes).map(([name, { ceString }]) => [name, ceString]))
  return {
    messageId: randomUUID(),
    topic: channel,
    orderingKey: extensions.partitionkey,
    attributes: { time: now.toISOString(), ...extensions, id, type, source },
    data: textData,
  }
}

function isJson(text: string): boolean {
  try {
    return typeof (JSON.parse(text) ?? undefined) === 'object'
  } catch {
    return false
  }
}
