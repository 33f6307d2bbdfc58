import { type Dialect, named, operationsOf, type ParamSchemas, type Properties, Type } from '@icosa/contract'
import { type Exceptions, statusesOf } from './exceptions.ts'

export type { Exceptions } from './exceptions.ts'

/** Differences between services of this family: names of a few members. */
export interface SignedShape<Members extends Properties = Properties> {
  /** Member of an exception with its message. */
  readonly message: 'Message' | 'message'
  /** Member of an exception with its name, which is in a header as well. */
  readonly name?: '__type' | 'Code'
  /** Member of a list's reply with the token of the next page. */
  readonly token: 'NextToken' | 'nextToken'
  /** Further members of exceptions, all optional. */
  readonly members?: Members
  /** API version of the specification. */
  readonly version?: string
  /** Schemas of path parameters. */
  readonly params?: ParamSchemas
  /** Names and statuses of exceptions that differ from the defaults. */
  readonly exceptions?: Exceptions
}

export type Signed = ReturnType<typeof signed>

/** Services whose requests are signed with Signature Version 4: constructors of operations. */
export function signed(shape: SignedShape) {
  const { message, name = '__type', token, members = {}, params = {}, version, exceptions = {} } = shape
  const optionalMembers = Object.entries(members).map(([member, schema]) => [member, Type.Optional(schema)])
  const dialect: Dialect = {
    name: 'signed',
    version,
    security: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Signature Version 4: AWS4-HMAC-SHA256 Credential=..., SignedHeaders=..., Signature=...',
    },
    operationNames: 'unique',
    caseSensitive: true,
    bodyOptional: true,
    error: named('Exception', {
      [name]: Type.String(),
      [message]: Type.String(),
      ...Object.fromEntries(optionalMembers),
    }),
    errorStatuses: statusesOf(exceptions),
  }
  return { ...operationsOf(dialect, { params }), shape: { message, name, token }, exceptions }
}
