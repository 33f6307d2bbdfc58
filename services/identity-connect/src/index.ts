import { type Service, serviceWithRuntime } from '@icosa/kernel'
import { clientBackup } from './clients/backup.ts'
import { clients } from './clients/handlers.ts'
import { identityDialect } from './dialect.ts'
import { mailJob } from './mail/job.ts'
import { maintainIdentity, schedules } from './maintenance.ts'
import { serviceName } from './names.ts'
import { forgetExpired } from './people/jobs.ts'
import { protocol } from './protocol/handlers.ts'
import { type ServiceRuntime, startWith } from './runtime.ts'
import { sessions } from './sessions/handlers.ts'
import { deliverSignOut } from './sessions/jobs.ts'
import { defaultSettings, type IdentitySettings } from './settings.ts'
import { views } from './views.ts'
import { webRoutes } from './web/routes.ts'

export { defaultSettings, type IdentitySettings } from './settings.ts'

/** People and their sessions are in one cell: ADR 92. */
const home = { otherwise: 'home' } as const

/** Signs users in to applications, and issues tokens for the other services. */
export function identityConnect(settings: IdentitySettings = defaultSettings): Service {
  const sendMail = mailJob(settings.mail)
  return serviceWithRuntime<ServiceRuntime>({
    letter: 'S1',
    name: serviceName,
    title: 'Identity Connect',
    moves: 'staysHome',
    views,
    apis: [{ dialect: identityDialect, resources: { protocol, clients, sessions } }],
    start: startWith(settings),
    tenantRules: {
      [`/${serviceName}`]: home,
      '/:tenant/oauth2': home,
      '/:tenant/v2.0': home,
      '/:tenant/.well-known': home,
      '/metadata/endpoints': home,
    },
    routes: webRoutes({ settings, sendMail }),
    migrations: new URL('../migrations/', import.meta.url),
    retention: {
      artifacts: 'maintainIdentity: once expired',
      attempts: 'forgetExpired: after two days',
      links: 'forgetExpired: a day after they expire',
      link_tokens: 'deleted with their link',
      challenges: 'forgetExpired: once expired',
      people: 'they delete their accounts, or the operator does',
      passkeys: 'deleted with their person',
      consents: 'deleted with their person',
      clients: 'their tenants delete them',
      approvals: 'deleted with their client, or withdrawn',
    },
    backups: [clientBackup],
    jobs: [deliverSignOut, sendMail, maintainIdentity, forgetExpired],
    schedules,
  })
}
