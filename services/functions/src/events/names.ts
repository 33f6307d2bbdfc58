/** The events that there are. */
export const messagePublished = 'google.cloud.pubsub.topic.v1.messagePublished'

export const topicName = (project: string, topic: string) => `projects/${project}/topics/${topic}`

export const topicSource = (name: string) => `//pubsub.googleapis.com/${name}`
