import { mailOf } from './html.ts'
import { type EventContent, type EventType, eventTypes } from './types.ts'

export interface Details {
  readonly includeBody: boolean
  /** The address of a small picture. */
  readonly thumbnail?: string | undefined
  readonly publicUrl: string
}

/** Subscribers decide about what they are told of: at the desk. */
const linkOf = (publicUrl: string, { id }: EventContent) => `${publicUrl}/desk?contribution=${id}`
const titleOf = ({ headline, assignment }: EventContent) => headline.trim() || `To ${assignment.name}`

/** What a subscriber reads in a mail. */
export function subscriberMail(type: EventType, content: EventContent, { includeBody, thumbnail, publicUrl }: Details) {
  const { assignment, attribution, body, notes, flag, state } = content
  return mailOf(
    `${eventTypes[type]}: ${titleOf(content)}`,
    [
      `${eventTypes[type]} (${assignment.name}).`,
      titleOf(content),
      attribution === '' ? '' : `By ${attribution}`,
      type === 'contribution-moderated' ? `It is ${state} now.` : '',
      flag === undefined ? '' : `Flagged as: ${flag}`,
      notes === undefined ? '' : `Notes: ${notes}`,
      includeBody ? (body ?? '') : '',
      thumbnail === undefined ? '' : `Picture: ${thumbnail}`,
    ],
    type === 'contribution-deleted' ? undefined : { text: 'See the contribution', url: linkOf(publicUrl, content) },
  )
}

/** What a chat shows: a line, and a picture if there is one. */
export function chatMessage(type: EventType, content: EventContent, details: Details) {
  const { includeBody, thumbnail, publicUrl } = details
  const lines = [
    `${eventTypes[type]}: ${titleOf(content)}`,
    ...(content.attribution === '' ? [] : [`By ${content.attribution}`]),
    ...(includeBody && content.body ? [content.body] : []),
    linkOf(publicUrl, content),
  ]
  return {
    // A chat reads <!channel> and links out of these.
    text: lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...(thumbnail && { attachments: [{ fallback: titleOf(content), image_url: thumbnail }] }),
  }
}

/** Mails to whoever contributed: what they are for, and what they say. */
export const notices = {
  received: {
    subject: 'Thank you for your contribution',
    says: 'We have received what you sent us. Our moderators will look at it.',
  },
  published: { subject: 'Your contribution is published', says: 'What you sent us can be seen by everybody now.' },
  rejected: { subject: 'About your contribution', says: 'We have decided not to publish what you sent us.' },
  'more-information': {
    subject: 'A question about your contribution',
    says: 'We would like to know more about what you sent us. Please answer this mail.',
  },
} as const
export type Notice = keyof typeof notices
export const isNotice = (text: string): text is Notice => Object.hasOwn(notices, text)

export interface NoticeContext {
  readonly name: string | undefined
  readonly receiptMessage: string | undefined
  /** Of the page of the contribution. */
  readonly pageUrl: string
}

export function noticeMail(notice: Notice, content: EventContent, { name, receiptMessage, pageUrl }: NoticeContext) {
  const { subject, says } = notices[notice]
  return mailOf(
    subject,
    [
      name ? `Dear ${name},` : 'Hello,',
      says,
      notice === 'received' ? (receiptMessage ?? '') : '',
      `${titleOf(content)} (${content.assignment.name})`,
    ],
    notice === 'published' ? { text: 'See your contribution', url: pageUrl } : undefined,
  )
}
