import type { Page } from '@icosa/pages'
import type { FastifyReply } from 'fastify'

export const send = (reply: FastifyReply, { mediaType, body, headers }: Page, status = 200) =>
  reply.code(status).type(mediaType).headers(headers).send(body)
