import type { Service } from '@icosa/kernel'
import { serviceName } from '../names.ts'

/** A page to query apps and show their confusion matrix, only in development mode, and loaded on first use. */
export const pageRoutes: NonNullable<Service['routes']> = () => async (app) => {
  app.get(`/${serviceName}/try`, async (_, reply) => {
    const { mediaType, headers, body } = (await import('./page.ts')).askingPage
    return reply.type(mediaType).headers(headers).send(body)
  })
}
