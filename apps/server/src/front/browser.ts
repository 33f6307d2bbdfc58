import type { Page } from '@icosa/pages'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Browsers ask for XHTML as well. Some HTTP clients, such as Java's, ask for HTML and images by default. */
const navigation = /^text\/html(?:,\s*application\/xhtml\+xml|$)/i

/** Whether a browser goes to a page, in contrast to a program that reads data. */
export const isNavigation = ({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean =>
  method === 'GET' && navigation.test(headers.accept ?? '')

export const shown = (reply: FastifyReply, { mediaType, headers, body }: Page) =>
  reply.type(mediaType).headers(headers).send(body)

/** Replies with 404: a page for browsers, JSON for programs. */
export async function notFound(request: FastifyRequest, reply: FastifyReply, error: string): Promise<FastifyReply> {
  reply.code(404).header('vary', 'accept')
  if (!isNavigation(request)) return reply.send({ error })
  const { notFoundPage } = await import('./not-found-page.ts')
  return shown(reply, notFoundPage(error))
}
