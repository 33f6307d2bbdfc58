import type { Service } from '@icosa/kernel'
import { serviceName } from '../names.ts'

/** A page to ask apps on, and to see what they confuse: in development mode only, and made when somebody looks at it. */
export const pageRoutes: NonNullable<Service['routes']> = () => async (app) => {
  app.get(`/${serviceName}/try`, async (_, reply) => {
    const { mediaType, headers, body } = (await import('./page.ts')).askingPage
    return reply.type(mediaType).headers(headers).send(body)
  })
}
