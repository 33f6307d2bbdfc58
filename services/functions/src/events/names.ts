export const messagePublished = 'google.cloud.pubsub.topic.v1.messagePublished'

/** Attributes by which triggers may filter. Attributes of a message are part of its data. */
export const eventAttributes = ['id', 'source', 'time', 'topic', 'type'] as const

export const topicName = (project: string, topic: string) => `projects/${project}/topics/${topic}`

export const topicSource = (name: string) => `//pubsub.googleapis.com/${name}`
