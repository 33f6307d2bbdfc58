import { createHash } from 'node:crypto'
import { attempted, exponentialBackoff, nextAttemptAt, type Outcome, type RetryPlan } from '@icosa/delivery'
import { type JobContext, job } from '@icosa/kernel'
import { find as findAssignment } from '../assignments/store.ts'
import { findOwn } from '../contributions/store.ts'
import { pageUrl } from '../contributions/view.ts'
import { usagesByContribution } from '../media/usages.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { sealedToken } from '../subscriptions/token.ts'
import { findUser } from '../users/store.ts'
import { contentOf } from './content.ts'
import { chatMessage, type Notice, noticeMail, subscriberMail } from './messages.ts'
import * as store from './store.ts'

/** For about a day: a receiver that was switched off over night misses nothing. */
const plan: RetryPlan = { attempts: 9, pauseMs: exponentialBackoff(30_000, 3, 6 * 3_600_000) }
const timeoutMs = 15_000

/** Finds out who is told of an event, and has each of them told. */
export const fanOut = job<{ readonly event: string }, ServiceRuntime>('tellSubscribers', {
  async run({ event: id }, { db, tenant, clock }) {
    const event = await store.findEvent(db, tenant, id)
    if (!event) return undefined
    const all = (await store.subscribersOf(db, tenant, event)).flatMap((subscriber) =>
      store.channels
        .filter((channel) => hasChannel(subscriber, channel))
        .map((channel) => ({ event: id, subscription: subscriber.id, channel })),
    )
    return async (writing, jobs) => {
      for (const delivery of all)
        if (await store.insertDelivery(writing, tenant, delivery, clock.now()))
          await jobs.enqueue(deliver, { ...delivery, failures: 0 })
    }
  },
})

function hasChannel({ email, slackChannel, url }: store.Subscriber, channel: store.Channel): boolean {
  return { email, chat: slackChannel, webhook: url }[channel] !== null
}

interface Attempt extends store.Delivery {
  readonly failures: number
}

/** One attempt to tell one subscriber by one channel, and the next if it fails. */
export const deliver = job<Attempt, ServiceRuntime>('deliverToSubscriber', {
  async run({ failures, ...delivery }, context) {
    const { db, tenant, clock } = context
    const event = await store.findEvent(db, tenant, delivery.event)
    const subscriber = await store.findSubscriber(db, tenant, delivery.subscription)
    if (!event || !subscriber) return undefined
    const outcome = await attempt(context, event, subscriber, delivery.channel)
    const attempts = failures + 1
    const at = nextAttemptAt(outcome, attempts, plan, clock.now())
    return async (writing, jobs) => {
      const { result, message } = outcome
      await store.noteAttempt(writing, tenant, delivery, { attempts, result, message }, clock.now())
      if (at) await jobs.enqueue(deliver, { ...delivery, failures: attempts }, { at })
    }
  },
})

/** The same for every attempt: by it a receiver knows what it has already. */
const messageId = (...parts: readonly string[]) =>
  createHash('sha256').update(parts.join('\0')).digest('base64url').slice(0, 32)

async function attempt(
  context: JobContext<ServiceRuntime>,
  event: store.EventRow,
  subscriber: store.Subscriber,
  channel: store.Channel,
): Promise<Outcome> {
  const { tenant, runtime, signal, log, clock } = context
  const { includeBody } = subscriber
  const details = {
    includeBody,
    publicUrl: runtime.publicUrl,
    ...(subscriber.includeThumbnail && { thumbnail: await thumbnailOf(context, event.contribution) }),
  }
  const id = messageId(tenant, event.id, subscriber.id, channel)
  if (channel === 'email') {
    const mail = subscriberMail(event.type, event.content, details)
    return attempted({ signal, log }, async () => {
      await runtime.deliverMail({ id, to: subscriber.email as string, date: clock.now(), ...mail }, log)
      return { result: 'delivered', message: 'The mail server took it.' }
    })
  }
  const headers = { 'content-type': 'application/json' }
  if (channel === 'chat') {
    const named = subscriber.slackChannel as string
    const isAddress = /^https?:\/\//.test(named)
    const url = isAddress ? named : runtime.chatUrl
    if (url === undefined) return { result: 'refused', message: 'No chat is set up for channels by name.' }
    const payload = JSON.stringify({
      ...(!isAddress && { channel: named }),
      ...chatMessage(event.type, event.content, details),
    })
    return runtime.send({ url }, { id, headers, payload }, { signal, timeoutMs })
  }
  const { body, ...content } = event.content
  const payload = JSON.stringify({
    id: event.id,
    type: event.type,
    date: event.at.toISOString(),
    contribution: {
      ...content,
      ...(includeBody && body !== undefined && { body }),
      ...(details.thumbnail && { thumbnail: details.thumbnail }),
    },
  })
  const secret = context.vault.open(subscriber.token, sealedToken.context)
  return runtime.send({ url: subscriber.url as string, secret }, { id, headers, payload }, { signal, timeoutMs })
}

/** The smallest copy of the first picture. */
async function thumbnailOf(
  { db, tenant, runtime }: JobContext<ServiceRuntime>,
  contribution: string,
): Promise<string | undefined> {
  const usages = await usagesByContribution(db, runtime.publicUrl, tenant, [contribution])
  const artifacts = (usages.get(contribution) ?? []).flatMap((usage) => usage.artifacts)
  const pictures = artifacts.filter(({ contentType }) => contentType.startsWith('image/'))
  return pictures.toSorted((one, other) => one.contentLength - other.contentLength)[0]?.url
}

/** Writes to whoever contributed, if they have told us where. */
export const notifyAuthor = job<{ readonly contribution: string; readonly notice: Notice }, ServiceRuntime>(
  'notifyAuthor',
  {
    retries: 9,
    async run({ contribution, notice }, { db, tenant, runtime, clock, log }) {
      const row = await findOwn(db, tenant, contribution)
      const author = row && (await findUser(db, tenant, row.author))
      const assignment = row && (await findAssignment(db, tenant, row.assignment))
      if (!row || !assignment || !author?.email) return
      const context = {
        name: author.displayName ?? undefined,
        receiptMessage: assignment.receiptMessage ?? undefined,
        pageUrl: pageUrl(runtime.publicUrl, tenant, contribution),
      }
      const mail = noticeMail(notice, contentOf(row, assignment.name), context)
      const id = messageId(tenant, contribution, notice, 'author')
      await runtime.deliverMail({ id, to: author.email, date: clock.now(), ...mail }, log)
    },
  },
)
