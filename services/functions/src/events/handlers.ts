import { randomUUID } from 'node:crypto'
import { implement, notFound, ok } from '@icosa/kernel'
import * as functions from '../functions/store.ts'
import { nameOf } from '../functions/view.ts'
import { channelName, eventIn } from './channels.ts'
import { events as contract } from './contract.ts'
import { emit } from './emit.ts'
import { type messageAttributes, messagePublished, topicName, topicSource } from './names.ts'
import * as store from './store.ts'

export const events = implement(contract, {
  async publish({ params, body }, { db, jobs, clock, caller }) {
    const topic = topicName(params.project, params.topic)
    const time = clock.now().toISOString()
    const messages = body.messages.map((message) => ({ ...message, messageId: randomUUID(), publishTime: time }))
    const emitted = messages.map((message) => ({
      topic,
      attributes: {
        id: message.messageId,
        type: messagePublished,
        source: topicSource(topic),
        time,
        topic: params.topic,
      } satisfies Record<(typeof messageAttributes)[number], string>,
      data: JSON.stringify({
        message,
        subscription: `projects/${params.project}/subscriptions/functions-${params.topic}`,
      }),
    }))
    await emit({ db, jobs, clock }, caller.tenant, emitted)
    return ok({ messageIds: messages.map(({ messageId }) => messageId) })
  },

  async publishEvents({ params: { project, location, channel }, body }, { db, jobs, clock, caller }) {
    const name = channelName(project, location, channel)
    const published = body.events.map((event, index) => eventIn(name, event, index, clock.now()))
    await emit({ db, jobs, clock }, caller.tenant, published)
    return ok({})
  },

  async listFailedEvents({ params, query }, { db, caller }) {
    if (!(await functions.find(db, caller.tenant, params))) notFound('function', nameOf(params))
    const limit = Math.min(query.pageSize || 100, 100)
    const { items, next } = await store.failed(db, caller.tenant, params, {
      limit,
      token: query.pageToken || undefined,
    })
    const failedEvents = items.map(({ attributes, attempts, reason, failedAt }) => ({
      id: attributes.id,
      type: attributes.type,
      source: attributes.source,
      time: attributes.time,
      attempts,
      reason,
      failTime: failedAt.toISOString(),
    }))
    return ok({ failedEvents }, { next })
  },
})
