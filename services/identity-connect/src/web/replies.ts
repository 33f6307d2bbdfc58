import { Failure } from '@icosa/kernel'
import type { FastifyReply } from 'fastify'
import { type PageRights, securityHeaders } from './headers.ts'

export function show(reply: FastifyReply, document: string, rights?: PageRights, status = 200): FastifyReply {
  return reply.code(status).headers(securityHeaders(rights)).type('text/html; charset=utf-8').send(document)
}

/** After a form: the browser asks anew, with GET, and a reload sends nothing twice. */
export const redirectTo = (reply: FastifyReply, address: string) => reply.code(303).header('location', address).send()

/** What a person can do something about stands on the page; anything else is an error page. */
export async function attempt(work: () => Promise<FastifyReply>, again: (problem: string) => Promise<FastifyReply>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'internal') throw error
    const [first] = error.details
    return again(first ? `${wordsOf(first.at)} ${first.message}.` : error.message)
  }
}

const wordsOf = (at: string) => {
  if (at.endsWith('email')) return 'The e-mail address'
  const words = at.replace(/^body\//, '').replaceAll(/[_/]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
