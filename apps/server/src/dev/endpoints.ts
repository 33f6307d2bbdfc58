import { type Authentication, developmentSigningId, type Service } from '@icosa/kernel'
import { credentialsOf } from '../credentials.ts'

/** A key of a tenant, and the id and secret by which it signs. */
export interface Access {
  readonly key: string
  readonly signing: { readonly id: string; readonly secret: string }
}

/** Those of the tenant `dev`. */
export const developmentAccess = (key: string): Access => ({ key, signing: { id: developmentSigningId, secret: key } })

/** One API, and how a tenant calls it. */
export interface Endpoint {
  /** The letter of the service; null for the platform itself. */
  readonly service: string | null
  readonly name: string
  readonly api: string | undefined
  readonly url: string
  readonly authentication: Authentication
  /** What a caller sends, or gives its SDK, under the names that it has there. */
  readonly credentials: Readonly<Record<string, string>>
}

export function endpointsOf(services: readonly Service[], url: string, access: Access): Endpoint[] {
  return services.flatMap(({ letter = null, name, apis }) =>
    apis.map(({ name: api, at = '', dialect: { authentication } }) => ({
      service: letter,
      name,
      api,
      url: `${url}/${name}${at}`,
      authentication,
      credentials: credentialsOf(authentication, access.key, access.signing),
    })),
  )
}
