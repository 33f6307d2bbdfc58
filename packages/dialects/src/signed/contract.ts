import { type Dialect, named, operationsOf, type ParamSchemas, type Properties, Type } from '@icosa/contract'
import { type Exceptions, statusesOf } from './exceptions.ts'

export type { Exceptions } from './exceptions.ts'

/** In what the services of this family differ: the names of a few members. */
export interface SignedShape<Members extends Properties = Properties> {
  /** The member of an exception that holds its message. */
  readonly message: 'Message' | 'message'
  /** The member of an exception that holds its name, which a header says, too. */
  readonly name?: '__type' | 'Code'
  /** The member of a list's answer that says where the next page starts. */
  readonly token: 'NextToken' | 'nextToken'
  /** What exceptions may say beside name and message, all of it optional. */
  readonly members?: Members
  /** Which version of the API the specification describes. */
  readonly version?: string
  /** What the parameters of paths can be. */
  readonly params?: ParamSchemas
  /** Names and statuses of its exceptions, where they are not the customary ones. */
  readonly exceptions?: Exceptions
}

export type Signed = ReturnType<typeof signed>

/** Services whose requests are signed with Signature Version 4: the constructors of their operations. */
export function signed(described: SignedShape) {
  const { message, name = '__type', token, members = {}, params = {}, version, exceptions = {} } = described
  const further = Object.entries(members).map(([member, schema]) => [member, Type.Optional(schema)])
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
    error: named('Exception', { [name]: Type.String(), [message]: Type.String(), ...Object.fromEntries(further) }),
    errorStatuses: statusesOf(exceptions),
  }
  return { ...operationsOf(dialect, { params }), shape: { message, name, token }, exceptions }
}
