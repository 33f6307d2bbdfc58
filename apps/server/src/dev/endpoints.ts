import { type Authentication, developmentSigningId, type Service } from '@icosa/kernel'
import { credentialsOf } from '../credentials.ts'

/** A tenant's key, signing id and signing secret. */
export interface Access {
  readonly key: string
  readonly signing: { readonly id: string; readonly secret: string }
}

/** Credentials of the tenant `dev`. */
export const developmentAccess = (key: string): Access => ({ key, signing: { id: developmentSigningId, secret: key } })

/** One API, with the credentials of a tenant. */
export interface Endpoint {
  /** The letter of the service; null for the platform itself. */
  readonly service: string | null
  readonly name: string
  readonly api: string | undefined
  readonly url: string
  readonly authentication: Authentication
  /** Credentials by the names that requests and SDKs use. */
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
