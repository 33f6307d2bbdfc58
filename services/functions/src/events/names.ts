export const messagePublished = 'google.cloud.pubsub.topic.v1.messagePublished'
const auditWritten = 'google.cloud.audit.log.v1.written'

const commonAttributes = ['id', 'source', 'time', 'type'] as const

/** Attributes of a message's event. Attributes of the message itself are part of its data. */
export const messageAttributes = [...commonAttributes, 'topic'] as const

const resourceAttributes = [
  ...commonAttributes,
  ...['subject', 'service', 'resourceType', 'name', 'scope', 'location'],
] as const

/** Event types with the attributes by which triggers may filter. */
export const eventTypes: Readonly<Record<string, readonly string[]>> = {
  [messagePublished]: messageAttributes,
  [auditWritten]: [...commonAttributes, 'subject', 'serviceName', 'methodName', 'resourceName'],
  'icosa.resource.v1.created': resourceAttributes,
  'icosa.resource.v1.updated': resourceAttributes,
  'icosa.resource.v1.deleted': resourceAttributes,
}

export const topicName = (project: string, topic: string) => `projects/${project}/topics/${topic}`

export const topicSource = (name: string) => `//pubsub.googleapis.com/${name}`
