import { statusOf } from '@icosa/dialects/status'
import { asFailure, type RouteHost, type Service } from '@icosa/kernel'
import { preflight } from '../dialect/server.ts'
import { exportRoutes } from '../exports/routes.ts'
import { mediaRoutes } from '../media/routes.ts'
import { serviceName } from '../names.ts'
import type { ServiceRuntime } from '../runtime.ts'
import { feedRoutes } from '../search/feeds.ts'
import { contributeRoutes } from './contribute/routes.ts'
import { contributionRoutes } from './contribution/routes.ts'
import { deskRoutes } from './desk/routes.ts'
import { message, send } from './layout.ts'

/** Routes besides the operations: files and web pages. */
export const routes: NonNullable<Service<ServiceRuntime>['routes']> =
  (host: RouteHost<ServiceRuntime>) => async (app) => {
    await app.register(async (files) => {
      mediaRoutes(files, host.platform)
      exportRoutes(files, host.platform)
      feedRoutes(files, host.platform, host.runtime)
      files.options(`/${serviceName}/*`, (_, reply) => reply.code(204).headers(preflight).send())
    })
    for (const add of [contributeRoutes, contributionRoutes, deskRoutes])
      await app.register(async (pages) => {
        pages.setErrorHandler((error, _, reply) => {
          const { kind, message: text, retryAfterSeconds } = asFailure(error)
          if (kind === 'internal') host.platform.log.error({ err: error }, 'a page of contributions failed')
          if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
          return send(reply, message('This did not work', text), statusOf[kind])
        })
        add(pages, host)
      })
  }
