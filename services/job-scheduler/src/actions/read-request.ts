import { invalid } from '@icosa/kernel'
import type { SecretCertificate } from '../secrets/secrets.ts'
import {
  type Authentication,
  type CertificateAuthentication,
  type HttpRequest,
  methods,
  type OAuthAuthentication,
} from './action.ts'
import type { AuthenticationInput, RequestInput } from './contract.ts'

const maxHeaders = 50

export function readRequest(input: RequestInput, type: 'Http' | 'Https', at: string): HttpRequest {
  const { uri = '', method = 'GET', headers, body, authentication } = input
  checkAddress(uri, type, `${at}/uri`)
  const knownMethod = methods.find((name) => name === method.toUpperCase())
  if (!knownMethod) invalid([{ at: `${at}/method`, message: `must be one of ${methods.join(', ')}` }])
  if (headers) checkHeaders(headers, `${at}/headers`)
  const checked = authentication && readAuthentication(authentication, uri, `${at}/authentication`)
  return {
    uri,
    method: knownMethod,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(checked && { authentication: checked }),
  }
}

/** The SSRF guard checks addresses at request time, since DNS may change. */
function checkAddress(uri: string, type: 'Http' | 'Https', at: string): void {
  const url = URL.parse(uri)
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && type === 'Http')
  if (!isAllowed)
    invalid([{ at, message: `must be an address of type ${type}, such as ${type.toLowerCase()}://example.com/path` }])
  if (url.username !== '' || url.password !== '')
    invalid([{ at, message: 'must not contain a user name or password: send them as Basic authentication' }])
}

const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
])

function checkHeaders(headers: Readonly<Record<string, string>>, at: string): void {
  const names = Object.keys(headers)
  if (names.length > maxHeaders) invalid([{ at, message: `must be at most ${maxHeaders}` }])
  for (const name of names) {
    if (ownHeaders.has(name.toLowerCase())) invalid([{ at, message: `'${name}' is set by the sender: omit it` }])
    try {
      new Headers({ [name]: headers[name] ?? '' })
    } catch {
      invalid([{ at, message: 'must not contain characters that HTTP forbids' }])
    }
  }
}

/** Returns undefined if there are no credentials to send. */
function readAuthentication(input: AuthenticationInput, uri: string, at: string): Authentication | undefined {
  if (input.type.toLowerCase() === 'clientcertificate') return readCertificate(input, uri, at)
  if (input.type.toLowerCase() === 'activedirectoryoauth') return readOAuth(input, at)
  if (input.type.toLowerCase() !== 'basic') return undefined
  const { username, password } = input
  if (!username || username.includes(':'))
    invalid([{ at: `${at}/username`, message: 'is required and must not contain a colon' }])
  return { type: 'Basic', username, ...(password !== undefined && { password }) }
}

/** The tenant becomes a part of the token endpoint's URL. */
function readOAuth(input: AuthenticationInput, at: string): OAuthAuthentication {
  const required = (field: 'tenant' | 'clientId' | 'audience', form: RegExp) => {
    const value = input[field] ?? ''
    if (!form.test(value)) invalid([{ at: `${at}/${field}`, message: 'is required, without blanks' }])
    return value
  }
  return {
    type: 'ActiveDirectoryOAuth',
    tenant: required('tenant', /^\w[\w.-]*$/),
    clientId: required('clientId', /^\S+$/),
    audience: required('audience', /^\S+$/),
    ...(input.secret && { secret: input.secret }),
  }
}

/** Returns the certificate in a request, unopened. */
export function certificateIn({ type, pfx, password }: AuthenticationInput): SecretCertificate | undefined {
  // Clients send back an empty one after reading the job.
  if (type.toLowerCase() !== 'clientcertificate' || !pfx) return undefined
  return { pfx: pfx.replace(/\s/g, ''), password: password ?? '' }
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Without a pfx, the job keeps its certificate. */
function readCertificate(input: AuthenticationInput, uri: string, at: string): CertificateAuthentication {
  const { password, certificateThumbprint } = input
  if (new URL(uri).protocol !== 'https:')
    invalid([{ at, message: 'uses a certificate, which needs TLS: the uri must begin with https://' }])
  const certificate = certificateIn(input)
  if (!certificate) {
    if (password) invalid([{ at: `${at}/password`, message: 'belongs to a pfx: send both or neither' }])
    return { type: 'ClientCertificate', ...(certificateThumbprint && { certificateThumbprint }) }
  }
  if (!base64.test(certificate.pfx)) invalid([{ at: `${at}/pfx`, message: 'must be a PKCS#12 file in base64' }])
  return { type: 'ClientCertificate', ...certificate }
}
