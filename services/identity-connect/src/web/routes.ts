import { statusOf } from '@icosa/dialects/status'
import {
  asFailure,
  Failure,
  fileOfBytes,
  type Job,
  openFile,
  type RouteHost,
  type Service,
  sendStreamed,
} from '@icosa/kernel'
import type { FastifyInstance } from 'fastify'
import type { Mail } from '../mail/templates.ts'
import { serviceName } from '../names.ts'
import { assets } from '../pages/assets.ts'
import { errorPage } from '../pages/error.ts'
import type { ServiceRuntime } from '../runtime.ts'
import type { IdentitySettings } from '../settings.ts'
import { accountRoutes } from './account/account.ts'
import { libraryRoutes } from './library.ts'
import { recoveryRoutes } from './recovery/recovery.ts'
import { verifyRoutes } from './recovery/verify.ts'
import { show } from './replies.ts'
import { consentRoutes } from './sign-in/consent.ts'
import { signInRoutes } from './sign-in/sign-in.ts'
import { isOver } from './sign-in/sign-in-over.ts'
import { signUpRoutes } from './sign-in/sign-up.ts'

export interface Parts {
  readonly settings: IdentitySettings
  readonly sendMail: Job<Mail>
}

/** All pages: sign-in, sign-up, consent, account; and protocol routes besides operations. */
export function webRoutes(parts: Parts): NonNullable<Service<ServiceRuntime>['routes']> {
  return (host: RouteHost<ServiceRuntime>) => async (app) => {
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
  const themeFile = theme && fileOfBytes('text/css; charset=utf-8', Buffer.from(theme))
  app.get<{ Params: { name: string } }>(`/${serviceName}/assets/:name`, async (request, reply) => {
    const { name } = request.params
    const asset = (name === 'theme.css' && themeFile) || assets.get(name)
    if (!asset) throw new Failure('notFound', `There is no asset ${name}.`)
    const opened = await openFile(request.raw, asset, { 'cache-control': 'public, max-age=3600' })
    reply.hijack()
    await sendStreamed(reply.raw, opened)
  })
}

/** Renders errors as pages. */
function showErrors(app: FastifyInstance, { brand, theme }: IdentitySettings, { platform }: RouteHost): void {
  const frame = { base: `/${serviceName}`, brand, display: 'page' as const, themed: theme !== undefined }
  app.setErrorHandler((error, _, reply) => {
    const over = isOver(error)
    const { kind, message, retryAfterSeconds } = asFailure(error)
    if (!over && kind === 'internal') platform.log.error({ err: error }, 'identity page')
    const status = over ? 400 : statusOf[kind]
    const text = over
      ? 'This sign-in took too long or was finished elsewhere. Please go back to the application and start again.'
      : kind === 'internal'
        ? 'Something went wrong on our side. Please try again in a moment.'
        : message
    const view = { ...frame, title: 'This did not work', text, error: over ? 'session_not_found' : 'failed' }
    if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
    return show(reply, errorPage(view), {}, status)
  })
}
