import { invalid } from '@icosa/kernel'
import { type BasicAuthentication, type HttpRequest, methods } from './action.ts'
import type { AuthenticationInput, RequestInput } from './contract.ts'

const headersLimit = 50

export function readRequest(input: RequestInput, type: 'Http' | 'Https', at: string): HttpRequest {
  const { uri = '', method = 'GET', headers, body, authentication } = input
  checkAddress(uri, type, `${at}/uri`)
  const known = methods.find((one) => one === method.toUpperCase())
  if (!known) invalid([{ at: `${at}/method`, message: `is one of ${methods.join(', ')}` }])
  if (headers) checkHeaders(headers, `${at}/headers`)
  const basic = authentication && readAuthentication(authentication, `${at}/authentication`)
  return {
    uri,
    method: known,
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    ...(basic && { authentication: basic }),
  }
}

/** Whether it may be reached is asked when it is: names change their addresses. */
function checkAddress(uri: string, type: 'Http' | 'Https', at: string): void {
  const url = URL.parse(uri)
  const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && type === 'Http')
  if (!fits)
    invalid([{ at, message: `is an address of the type ${type}: write it as ${type.toLowerCase()}://host/path` }])
  if (url.username !== '' || url.password !== '')
    invalid([{ at, message: 'holds a user name or password: send them as Basic authentication' }])
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
  if (names.length > headersLimit) invalid([{ at, message: `are at most ${headersLimit}` }])
  for (const name of names) {
    if (ours.has(name.toLowerCase()))
      invalid([{ at, message: `'${name}' is set by whoever sends the request: leave it out` }])
    try {
      new Headers({ [name]: headers[name] ?? '' })
    } catch {
      invalid([{ at, message: 'have a name or a value with a character that HTTP does not allow' }])
    }
  }
}

/** Undefined where there is nothing to send. */
function readAuthentication(input: AuthenticationInput, at: string): BasicAuthentication | undefined {
  if (input.type.toLowerCase() !== 'basic') return undefined
  const { username, password } = input
  if (!username || username.includes(':')) invalid([{ at: `${at}/username`, message: 'is required and has no colon' }])
  return { type: 'Basic', username, ...(password !== undefined && { password }) }
}
