import { escaped } from '../text/escaped.ts'
import { type EventContent, type EventType, eventTypes } from './types.ts'

export interface Details {
  readonly includeBody: boolean
  readonly thumbnail?: string | undefined
  /** With the tag of the tenant: moderators have yet to sign in. */
  readonly deskUrl: string
}

export const deskUrlOf = (publicUrl: string, tag: string | undefined): string =>
  `${tag === undefined ? publicUrl : publicUrl.replace(/\/[^/]+$/, `/~${tag}$&`)}/desk`

/** Subscribers moderate at the desk. */
const linkOf = (deskUrl: string, { id }: EventContent) => `${deskUrl}?contribution=${id}`
const titleOf = ({ headline, assignment }: EventContent) => headline.trim() || `To ${assignment.name}`

export function subscriberMail(type: EventType, content: EventContent, { includeBody, thumbnail, deskUrl }: Details) {
  const { assignment, attribution, body, notes, flag, state } = content
  return mailOf(
    `${eventTypes[type]}: ${titleOf(content)}`,
    [
      `${eventTypes[type]} (${assignment.name}).`,
      titleOf(content),
      attribution === '' ? '' : `By ${attribution}`,
      type === 'contribution-moderated' ? `It is now ${state}.` : '',
      flag === undefined ? '' : `Flagged as: ${flag}`,
      notes === undefined ? '' : `Notes: ${notes}`,
      includeBody ? (body ?? '') : '',
      thumbnail === undefined ? '' : `Picture: ${thumbnail}`,
    ],
    type === 'contribution-deleted' ? undefined : { text: 'See the contribution', url: linkOf(deskUrl, content) },
  )
}

export function chatMessage(type: EventType, content: EventContent, details: Details) {
  const { includeBody, thumbnail, deskUrl } = details
  const lines = [
    `${eventTypes[type]}: ${titleOf(content)}`,
    ...(content.attribution === '' ? [] : [`By ${content.attribution}`]),
    ...(includeBody && content.body ? [content.body] : []),
    linkOf(deskUrl, content),
  ]
  return {
    // Chats interpret these as <!channel> and links.
    text: lines.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    ...(thumbnail && { attachments: [{ fallback: titleOf(content), image_url: thumbnail }] }),
  }
}

/** Mails to authors. */
export const notices = {
  received: {
    subject: 'Thank you for your contribution',
    text: 'We have received your contribution. Our moderators will review it.',
  },
  published: { subject: 'Your contribution is published', text: 'Your contribution is now public.' },
  rejected: { subject: 'About your contribution', text: 'We have decided not to publish your contribution.' },
  'more-information': {
    subject: 'A question about your contribution',
    text: 'We would like to know more about your contribution. Please reply to this mail.',
  },
} as const
export type Notice = keyof typeof notices
export const isNotice = (text: string): text is Notice => Object.hasOwn(notices, text)

export interface NoticeContext {
  readonly name: string | undefined
  readonly receiptMessage: string | undefined
  /** Web page of the contribution. */
  readonly pageUrl: string
}

export function noticeMail(notice: Notice, content: EventContent, { name, receiptMessage, pageUrl }: NoticeContext) {
  const { subject, text } = notices[notice]
  return mailOf(
    subject,
    [
      name ? `Dear ${name},` : 'Hello,',
      text,
      notice === 'received' ? (receiptMessage ?? '') : '',
      `${titleOf(content)} (${content.assignment.name})`,
    ],
    notice === 'published' ? { text: 'See your contribution', url: pageUrl } : undefined,
  )
}

/** Renders paragraphs and a link as plain text and HTML. */
function mailOf(subject: string, paragraphs: readonly string[], link?: { text: string; url: string }) {
  const nonEmpty = paragraphs.filter((paragraph) => paragraph.trim() !== '')
  const html = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escaped(subject)}</title></head><body>`,
    ...nonEmpty.map((paragraph) => `<p>${escaped(paragraph).replaceAll('\n', '<br>')}</p>`),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.text)}</a></p>`] : []),
    '</body></html>',
  ].join('')
  const text = [...nonEmpty, ...(link ? [`${link.text}: ${link.url}`] : [])].join('\n\n')
  return { subject: subject.replace(/\s+/g, ' ').slice(0, 200), text, html }
}
