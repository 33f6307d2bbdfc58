import { statusOf } from '@icosa/dialects/status'
import { Failure, type Host, type Job, type Service } from '@icosa/kernel'
import type { FastifyInstance } from 'fastify'
import type { Held } from '../held.ts'
import type { Mail } from '../mail/templates.ts'
import { serviceName } from '../names.ts'
import { assets } from '../pages/assets.ts'
import { errorPage } from '../pages/error.ts'
import type { IdentitySettings } from '../settings.ts'
import { accountRoutes } from './account.ts'
import { show } from './answers.ts'
import { consentRoutes } from './consent.ts'
import { libraryRoutes } from './library.ts'
import { isOver } from './over.ts'
import { recoveryRoutes } from './recovery.ts'
import { signInRoutes } from './sign-in.ts'
import { signUpRoutes } from './sign-up.ts'
import { verifyRoutes } from './verify.ts'

/** What the pages are made with. */
export interface Parts {
  readonly settings: IdentitySettings
  readonly sendMail: Job<Mail>
}

/** All that a browser sees: sign-in, sign-up, consent, the account, and what the protocol has beside its operations. */
export function webRoutes(parts: Parts): NonNullable<Service<Held>['routes']> {
  return (host: Host<Held>) => async (app) => {
    libraryRoutes(app, host)
    await app.register(async (pages) => {
      assetRoutes(pages, parts.settings)
      signInRoutes(pages, parts, host)
      signUpRoutes(pages, parts, host)
      consentRoutes(pages, parts, host)
      recoveryRoutes(pages, parts, host)
      verifyRoutes(pages, parts, host)
      accountRoutes(pages, parts, host)
      showErrors(pages, parts.settings, host)
    })
  }
}

function assetRoutes(app: FastifyInstance, { theme }: IdentitySettings): void {
  app.get<{ Params: { name: string } }>(`/${serviceName}/assets/:name`, async (request, reply) => {
    const { name } = request.params
    const asset = name === 'theme.css' && theme ? { type: 'text/css; charset=utf-8', content: theme } : assets.get(name)
    if (!asset) throw new Failure('notFound', `There is no ${name} here.`)
    const headers = { 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' }
    return reply.headers(headers).type(asset.type).send(asset.content)
  })
}

/** On a page, in words for whoever sits there. */
function showErrors(app: FastifyInstance, { brand, theme }: IdentitySettings, { platform }: Host): void {
  const frame = { base: `/${serviceName}`, brand, display: 'page' as const, themed: theme !== undefined }
  app.setErrorHandler((error, _, reply) => {
    const over = isOver(error)
    if (!over && !(error instanceof Failure)) platform.log.error({ err: error }, 'identity page')
    const status = over ? 400 : error instanceof Failure ? statusOf[error.kind] : 500
    const text = over
      ? 'This sign-in took too long or was finished elsewhere. Please go back to the application and start again.'
      : error instanceof Failure
        ? error.message
        : 'Something went wrong on our side. Please try again in a moment.'
    const view = { ...frame, title: 'This did not work', text, error: over ? 'session_not_found' : 'failed' }
    if (error instanceof Failure && error.retryAfterSeconds !== undefined)
      reply.header('retry-after', String(error.retryAfterSeconds))
    return show(reply, errorPage(view), {}, status)
  })
}
