import { createHash } from 'node:crypto'
import { attempted, exponentialBackoff, nextAttemptAt, type Outcome, type RetryPlan } from '@icosa/delivery'
import { findTag, type JobContext, job } from '@icosa/kernel'
import { find as findAssignment } from '../assignments/store.ts'
import { findOwn } from '../contributions/store.ts'
import { pageUrl } from '../contributions/view.ts'
import { usagesByContribution } from '../media/usages.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { sealedToken } from '../subscriptions/token.ts'
import { findUser } from '../users/store.ts'
import { contentOf } from './content.ts'
import { chatMessage, deskUrlOf, type Notice, noticeMail, subscriberMail } from './messages.ts'
import * as store from './store.ts'

/** Retries for about a day, so that receivers survive an outage overnight. */
const plan: RetryPlan = { attempts: 9, pauseMs: exponentialBackoff(30_000, 3, 6 * 3_600_000) }
const timeoutMs = 15_000

/** Creates a delivery of an event for each subscriber and channel. */
export const fanOut = job<{ readonly event: string }, ServiceRuntime>('tellSubscribers', {
  async run({ event: id }, { db, tenant, clock }) {
    const event = await store.findEvent(db, tenant, id)
    if (!event) return undefined
    const deliveries = (await store.subscribersOf(db, tenant, event)).flatMap((subscriber) =>
      store.channels
        .filter((channel) => hasChannel(subscriber, channel))
        .map((channel) => ({ event: id, subscription: subscriber.id, channel })),
    )
    return async (writing, jobs) => {
      for (const delivery of deliveries)
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

/** One delivery attempt, and the next if it fails. */
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

/** Deduplication id, the same for every attempt. */
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
    deskUrl: deskUrlOf(runtime.publicUrl, await findTag(context.db, tenant)),
    ...(subscriber.includeThumbnail && { thumbnail: await thumbnailOf(context, event.contribution) }),
  }
  const id = messageId(tenant, event.id, subscriber.id, channel)
  if (channel === 'email') {
    const mail = subscriberMail(event.type, event.content, details)
    return attempted({ signal, log }, async () => {
      await runtime.deliverMail({ id, to: subscriber.email as string, date: clock.now(), ...mail }, log)
      return { result: 'delivered', message: 'The mail server accepted it.' }
    })
  }
  const headers = { 'content-type': 'application/json' }
  if (channel === 'chat') {
    const channelName = subscriber.slackChannel as string
    const isAddress = /^https?:\/\//.test(channelName)
    const url = isAddress ? channelName : runtime.chatUrl
    if (url === undefined) return { result: 'refused', message: 'No chat is configured for channels by name.' }
    const payload = JSON.stringify({
      ...(!isAddress && { channel: channelName }),
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
  const secret = (await context.tenantVault()).open(subscriber.token, sealedToken.context)
  return runtime.send({ url: subscriber.url as string, secret }, { id, headers, payload }, { signal, timeoutMs })
}

/** URL of the smallest image rendition. */
async function thumbnailOf(
  { db, tenant, runtime }: JobContext<ServiceRuntime>,
  contribution: string,
): Promise<string | undefined> {
  const usages = await usagesByContribution(db, runtime.publicUrl, tenant, [contribution])
  const artifacts = (usages.get(contribution) ?? []).flatMap((usage) => usage.artifacts)
  const pictures = artifacts.filter(({ contentType }) => contentType.startsWith('image/'))
  return pictures.toSorted((a, b) => a.contentLength - b.contentLength)[0]?.url
}

/** Mails the author, if the address is known. */
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
