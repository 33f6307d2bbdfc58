import { Failure } from '@icosa/kernel'
import type { FastifyReply } from 'fastify'
import { type PageRights, securityHeaders } from './headers.ts'

export function show(reply: FastifyReply, document: string, rights?: PageRights, status = 200): FastifyReply {
  return reply.code(status).headers(securityHeaders(rights)).type('text/html; charset=utf-8').send(document)
}

/** Post/Redirect/Get: a reload does not resubmit the form. */
export const redirectTo = (reply: FastifyReply, address: string) => reply.code(303).header('location', address).send()

/** Shows failures that the user can fix on the page; others lead to an error page. */
export async function attempt(
  work: () => Promise<FastifyReply>,
  showProblem: (problem: string) => Promise<FastifyReply>,
) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'internal') throw error
    const [first] = error.details
    return showProblem(first ? `${wordsOf(first.at)} ${first.message}.` : error.message)
  }
}

const wordsOf = (at: string) => {
  if (at.endsWith('email')) return 'The e-mail address'
  const words = at.replace(/^body\//, '').replaceAll(/[_/]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
