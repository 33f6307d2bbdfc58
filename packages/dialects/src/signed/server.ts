import { type DialectServer, systemClock } from '@icosa/kernel'
import { signedService } from './authorization.ts'
import type { Signed } from './contract.ts'
import { codesOf, kindsOf } from './exceptions.ts'
import { verifier } from './verify.ts'

export interface SignedOptions {
  readonly region: string
  /** Names of the service in signatures; the first one is shown to people. */
  readonly signingNames: readonly [string, ...string[]]
  /** Operations of newer versions of the original, by method and path: `PUT /tiers/{name}`. */
  readonly unsupported?: Readonly<Record<string, string>>
}

export function signedServer({ shape, exceptions }: Signed, options: SignedOptions): DialectServer {
  const { region, signingNames, unsupported = {} } = options
  const kinds = kindsOf(exceptions)
  const statuses = codesOf(exceptions)
  // Clients sign by real clocks: requests are checked against real time, even if the platform's clock is moved.
  const verify = verifier({ region, signingNames, clock: systemClock })

  const missing = Object.entries(unsupported).map(([route, name]) => {
    const [method = '', path = ''] = route.split(' ')
    return { name, method, path: new RegExp(`${path.replace(/\{[^}]+\}/g, '[^/]+')}/?$`) }
  })

  return {
    unsupported: ({ method, url }) =>
      missing.find((operation) => operation.method === method && operation.path.test(url.pathname))?.name,

    authentication: { kind: 'signature', region, service: signingNames[0] },
    tenantSources: [{ in: 'query', name: 'X-Amz-Credential', gives: 'credential' }],
    authenticate: verify,
    locate: (incoming) => (signingNames.includes(signedService(incoming) ?? '') ? incoming.target : undefined),

    reply({ status, body, headers, next }, _, { id }) {
      const page = next === undefined ? body : { ...(body as object), [shape.token]: next }
      return { status, body: page, headers: { 'x-amzn-requestid': id, ...headers } }
    },

    failure({ kind, code, message, members }, { id }) {
      const [name, status] = kinds[kind]
      const exception = code ?? name
      return {
        status: code === undefined ? status : (statuses[code] ?? status),
        headers: { 'x-amzn-requestid': id, 'x-amzn-errortype': exception },
        body: { [shape.name]: exception, [shape.message]: message, ...members },
      }
    },
  }
}
