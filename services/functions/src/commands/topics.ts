import { print, type ServiceCommand, text, UsageError } from '@icosa/module'
import type { Values } from '../settings.ts'
import { openSession } from './session.ts'

export const topics: ServiceCommand<Values> = {
  name: 'topics',
  usage: "topics publish TOPIC [MESSAGE] [--attributes '{...}'] [--tenant dev] [--project P]",
  summary: 'Publish a message to a topic, for every subscribed function.',
  flags: {
    tenant: { type: 'string', default: 'dev' },
    project: { type: 'string' },
    attributes: { type: 'string' },
  },
  audited: { publish: { flags: ['tenant', 'project'], words: 1 } }, // not the message
  async run(input) {
    const [action, topic, message = ''] = input.words
    if (action !== 'publish' || topic === undefined) throw new UsageError(`Usage: icosa ${topics.usage}`)
    const session = await openSession(input)
    const attributes = parseAttributes(text(input.flags, 'attributes'))
    const data = Buffer.from(message).toString('base64')
    const path = `/v1/projects/${session.project}/topics/${encodeURIComponent(topic)}:publish`
    const { messageIds } = await session.ask('POST', path, { messages: [{ data, ...(attributes && { attributes }) }] })
    print(String(messageIds))
  },
}

function parseAttributes(attributes: string | undefined): object | undefined {
  if (attributes === undefined) return undefined
  try {
    return Object(JSON.parse(attributes))
  } catch {
    throw new UsageError(`--attributes is not JSON: write '{"name":"value"}'.`)
  }
}
