import { invalid } from '@icosa/kernel'
import type {
  Action,
  Authentication,
  CertificateAuthentication,
  OAuthAuthentication,
  SimpleAction,
} from '../actions/action.ts'
import { type OpenedCertificates, readCertificate } from './certificate.ts'
import type { Secret, Secrets } from './secrets.ts'

/** What a job had before a write. */
interface Before {
  readonly action: Action
  readonly secrets: Secrets
}

/** An authentication as it is kept and shown, and its secret. */
interface Parted {
  readonly authentication: Authentication
  readonly secret?: Secret | undefined
}

interface Old {
  readonly action: SimpleAction
  readonly secret: Secret | undefined
}

const at = 'body/properties/action'

/**
 * An action as it is kept and shown, and its secrets apart. A secret that the caller left out stays, since nobody can
 * read it to send it back; but only towards the same server, and for the same user or certificate, or whoever may
 * change a job could have it used towards themselves.
 */
export function split(
  { errorAction, ...main }: Action,
  before: Before | undefined,
  opened: OpenedCertificates,
): { readonly action: Action; readonly secrets: Secrets } {
  const old = before && { action: before.action, secret: before.secrets.main }
  const oldError = before?.action.errorAction && { action: before.action.errorAction, secret: before.secrets.error }
  const first = separate(main, old, opened.main, at)
  const other = errorAction && separate(errorAction, oldError, opened.error, `${at}/errorAction`)
  return {
    action: { ...first.action, ...(other && { errorAction: other.action }) },
    secrets: {
      ...(first.secret !== undefined && { main: first.secret }),
      ...(other?.secret !== undefined && { error: other.secret }),
    },
  }
}

function separate(action: SimpleAction, old: Old | undefined, opened: OpenedCertificates['main'], at: string) {
  if (!('request' in action) || !action.request.authentication) return { action, secret: undefined }
  const before = old && authenticationAt(new URL(action.request.uri).origin, old)
  const here = `${at}/request/authentication`
  const { authentication, secret } = part(action.request.authentication, before, opened, here)
  return { action: { ...action, request: { ...action.request, authentication } }, secret }
}

/** How a job has authenticated itself to a server until now. */
function authenticationAt(origin: string, { action, secret }: Old): Parted | undefined {
  if (!('request' in action) || !action.request.authentication) return undefined
  if (new URL(action.request.uri).origin !== origin) return undefined
  return { authentication: action.request.authentication, secret }
}

function part(
  given: Authentication,
  before: Parted | undefined,
  opened: OpenedCertificates['main'],
  at: string,
): Parted {
  if (given.type === 'ClientCertificate') return partCertificate(given, before, opened, at)
  if (given.type === 'ActiveDirectoryOAuth') return partApplication(given, before, at)
  const { password, ...authentication } = given
  const old = before?.authentication
  const isSameUser = old?.type === 'Basic' && old.username === given.username
  return { authentication, secret: password ?? (isSameUser ? before?.secret : undefined) }
}

function partApplication({ secret, ...authentication }: OAuthAuthentication, before: Parted | undefined, at: string) {
  const old = before?.authentication
  const { tenant, clientId } = authentication
  const isSame = old?.type === 'ActiveDirectoryOAuth' && old.tenant === tenant && old.clientId === clientId
  const kept = secret ?? (isSame ? before?.secret : undefined)
  if (kept === undefined) {
    const message = 'is required: the job does not have that of this application for this server yet'
    invalid([{ at: `${at}/secret`, message }])
  }
  return { authentication, secret: kept }
}

function partCertificate(
  { pfx, password = '', certificateThumbprint: requested }: CertificateAuthentication,
  before: Parted | undefined,
  opened: OpenedCertificates['main'],
  at: string,
): Parted {
  if (pfx !== undefined) {
    const shown = readCertificate(opened, `${at}/pfx`)
    return { authentication: { type: 'ClientCertificate', ...shown }, secret: { pfx, password } }
  }
  const old = before?.authentication
  const isSame =
    old?.type === 'ClientCertificate' && (requested ?? old.certificateThumbprint) === old.certificateThumbprint
  if (!isSame || before === undefined)
    invalid([{ at: `${at}/pfx`, message: 'is required: the job does not have this certificate for this server yet' }])
  return before
}
