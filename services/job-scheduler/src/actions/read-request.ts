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

const headersLimit = 50

export function readRequest(input: RequestInput, type: 'Http' | 'Https', at: string): HttpRequest {
  const { uri = '', method = 'GET', headers, body, authentication } = input
  checkAddress(uri, type, `${at}/uri`)
  const known = methods.find((one) => one === method.toUpperCase())
  if (!known) invalid([{ at: `${at}/method`, message: `must be one of ${methods.join(', ')}` }])
  if (headers) checkHeaders(headers, `${at}/headers`)
  const proof = authentication && readAuthentication(authentication, uri, `${at}/authentication`)
  return {
    uri,
    method: known,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(proof && { authentication: proof }),
  }
}

/** Whether it may be reached is asked when it is: names change their addresses. */
function checkAddress(uri: string, type: 'Http' | 'Https', at: string): void {
  const url = URL.parse(uri)
  const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && type === 'Http')
  if (!fits)
    invalid([{ at, message: `must be an address of type ${type}, such as ${type.toLowerCase()}://example.com/path` }])
  if (url.username !== '' || url.password !== '')
    invalid([{ at, message: 'must not contain a user name or password: send them as Basic authentication' }])
}

const ours: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
])

function checkHeaders(headers: Readonly<Record<string, string>>, at: string): void {
  const names = Object.keys(headers)
  if (names.length > headersLimit) invalid([{ at, message: `must be at most ${headersLimit}` }])
  for (const name of names) {
    if (ours.has(name.toLowerCase())) invalid([{ at, message: `'${name}' is set by the sender: leave it out` }])
    try {
      new Headers({ [name]: headers[name] ?? '' })
    } catch {
      invalid([{ at, message: 'must not have characters in names or values that HTTP does not allow' }])
    }
  }
}

/** Undefined where there is nothing to send. */
function readAuthentication(input: AuthenticationInput, uri: string, at: string): Authentication | undefined {
  if (input.type.toLowerCase() === 'clientcertificate') return readCertificate(input, uri, at)
  if (input.type.toLowerCase() === 'activedirectoryoauth') return readOAuth(input, at)
  if (input.type.toLowerCase() !== 'basic') return undefined
  const { username, password } = input
  if (!username || username.includes(':'))
    invalid([{ at: `${at}/username`, message: 'is required and must not contain a colon' }])
  return { type: 'Basic', username, ...(password !== undefined && { password }) }
}

/** Who asks for a token, and what for. The tenant becomes a part of the address where it is asked for. */
function readOAuth(input: AuthenticationInput, at: string): OAuthAuthentication {
  const needed = (field: 'tenant' | 'clientId' | 'audience', form: RegExp) => {
    const value = input[field] ?? ''
    if (!form.test(value)) invalid([{ at: `${at}/${field}`, message: 'is required, without blanks' }])
    return value
  }
  return {
    type: 'ActiveDirectoryOAuth',
    tenant: needed('tenant', /^\w[\w.-]*$/),
    clientId: needed('clientId', /^\S+$/),
    audience: needed('audience', /^\S+$/),
    ...(input.secret && { secret: input.secret }),
  }
}

/** The certificate that was sent, if one was. Whether it opens is seen elsewhere. */
export function certificateIn({ type, pfx, password }: AuthenticationInput): SecretCertificate | undefined {
  // An empty one is what a client sends back that has read the job.
  if (type.toLowerCase() !== 'clientcertificate' || !pfx) return undefined
  return { pfx: pfx.replace(/\s/g, ''), password: password ?? '' }
}

const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/** Without its pfx it is the one that the job has already. */
function readCertificate(input: AuthenticationInput, uri: string, at: string): CertificateAuthentication {
  const { password, certificateThumbprint } = input
  if (new URL(uri).protocol !== 'https:')
    invalid([{ at, message: 'uses a certificate, which needs TLS: the uri must begin with https://' }])
  const given = certificateIn(input)
  if (!given) {
    if (password) invalid([{ at: `${at}/password`, message: 'belongs to a pfx: send both or neither' }])
    return { type: 'ClientCertificate', ...(certificateThumbprint && { certificateThumbprint }) }
  }
  if (!base64.test(given.pfx)) invalid([{ at: `${at}/pfx`, message: 'must be a PKCS#12 file in base64' }])
  return { type: 'ClientCertificate', ...given }
}
