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

/** State of a job before a write. */
interface Before {
  readonly action: Action
  readonly secrets: Secrets
}

/** A visible authentication and its secret. */
interface SplitAuthentication {
  readonly authentication: Authentication
  readonly secret?: Secret | undefined
}

interface Old {
  readonly action: SimpleAction
  readonly secret: Secret | undefined
}

const at = 'body/properties/action'

/**
 * Separates secrets from the visible action. Omitted secrets are kept, since they cannot be read back; but only for the
 * same server and the same user or certificate, so that a caller who may change a job cannot send them elsewhere.
 */
export function split(
  { errorAction, ...main }: Action,
  before: Before | undefined,
  opened: OpenedCertificates,
): { readonly action: Action; readonly secrets: Secrets } {
  const old = before && { action: before.action, secret: before.secrets.main }
  const oldError = before?.action.errorAction && { action: before.action.errorAction, secret: before.secrets.error }
  const mainPart = separate(main, old, opened.main, at)
  const errorPart = errorAction && separate(errorAction, oldError, opened.error, `${at}/errorAction`)
  return {
    action: { ...mainPart.action, ...(errorPart && { errorAction: errorPart.action }) },
    secrets: {
      ...(mainPart.secret !== undefined && { main: mainPart.secret }),
      ...(errorPart?.secret !== undefined && { error: errorPart.secret }),
    },
  }
}

function separate(action: SimpleAction, old: Old | undefined, opened: OpenedCertificates['main'], at: string) {
  if (!('request' in action) || !action.request.authentication) return { action, secret: undefined }
  const before = old && authenticationAt(new URL(action.request.uri).origin, old)
  const path = `${at}/request/authentication`
  const { authentication, secret } = splitAuthentication(action.request.authentication, before, opened, path)
  return { action: { ...action, request: { ...action.request, authentication } }, secret }
}

/** Returns the current authentication of a job to a server. */
function authenticationAt(origin: string, { action, secret }: Old): SplitAuthentication | undefined {
  if (!('request' in action) || !action.request.authentication) return undefined
  if (new URL(action.request.uri).origin !== origin) return undefined
  return { authentication: action.request.authentication, secret }
}

function splitAuthentication(
  input: Authentication,
  before: SplitAuthentication | undefined,
  opened: OpenedCertificates['main'],
  at: string,
): SplitAuthentication {
  if (input.type === 'ClientCertificate') return splitCertificate(input, before, opened, at)
  if (input.type === 'ActiveDirectoryOAuth') return splitApplication(input, before, at)
  const { password, ...authentication } = input
  const old = before?.authentication
  const isSameUser = old?.type === 'Basic' && old.username === input.username
  return { authentication, secret: password ?? (isSameUser ? before?.secret : undefined) }
}

function splitApplication(
  { secret, ...authentication }: OAuthAuthentication,
  before: SplitAuthentication | undefined,
  at: string,
) {
  const old = before?.authentication
  const { tenant, clientId } = authentication
  const isSame = old?.type === 'ActiveDirectoryOAuth' && old.tenant === tenant && old.clientId === clientId
  const storedSecret = secret ?? (isSame ? before?.secret : undefined)
  if (storedSecret === undefined) {
    const message = 'is required: none is stored for this application and server'
    invalid([{ at: `${at}/secret`, message }])
  }
  return { authentication, secret: storedSecret }
}

function splitCertificate(
  { pfx, password = '', certificateThumbprint: requested }: CertificateAuthentication,
  before: SplitAuthentication | undefined,
  opened: OpenedCertificates['main'],
  at: string,
): SplitAuthentication {
  if (pfx !== undefined) {
    const view = readCertificate(opened, `${at}/pfx`)
    return { authentication: { type: 'ClientCertificate', ...view }, secret: { pfx, password } }
  }
  const old = before?.authentication
  const isSame =
    old?.type === 'ClientCertificate' && (requested ?? old.certificateThumbprint) === old.certificateThumbprint
  if (!isSame || before === undefined)
    invalid([{ at: `${at}/pfx`, message: 'is required: this certificate is not stored for this server' }])
  return before
}
