import type { JWTVerifyGetKey } from 'jose'
import type * as oidc from 'openid-client'
import type { Metadata } from '../../clients/metadata.ts'
import type { IdentityApp } from '../app.ts'

export const responseTypes = [
  'code',
  'id_token',
  'id_token token',
  'code id_token',
  'code token',
  'code id_token token',
] as const

export type ResponseType = (typeof responseTypes)[number]

export interface TestUser {
  readonly sub: string
  readonly email: string
  readonly password: string
}

/** Input of a plan's modules: a client of a server, and a user. */
export interface Context {
  readonly identity: IdentityApp
  readonly person: TestUser
  readonly responseType: ResponseType
  readonly formPost: boolean
  readonly client: { readonly client_id: string; readonly client_secret: string }
  readonly config: oidc.Configuration
  readonly keys: JWTVerifyGetKey
  /** The same plan with another client. */
  withClient(metadata: Metadata, choice?: ClientChoice): Promise<Context>
}

export interface ClientChoice {
  readonly authentication?: (secret: string) => oidc.ClientAuth
  readonly tokenEndpoint?: string
}

/** Results of the official suite besides success and failure. */
export type Verdict = { readonly warning: string } | { readonly notApplicable: string }

export interface Module {
  /** As in the official suite. */
  readonly name: string
  /** True, or the reason why not. */
  appliesTo(responseType: ResponseType): true | string
  /** Not concurrent, since it moves the platform's clock. */
  readonly alone?: boolean
  run(context: Context): Promise<Verdict | undefined>
}

export const everywhere = () => true as const

export const hasCode = (type: ResponseType) => type.startsWith('code')
export const hasToken = (type: ResponseType) => / token$/.test(type)
export const hasIdToken = (type: ResponseType) => /id_token/.test(type)

export const withCode = (type: ResponseType) => hasCode(type) || 'no authorization code is issued'
export const withAccessToken = (type: ResponseType) => hasCode(type) || hasToken(type) || 'no access token is issued'
