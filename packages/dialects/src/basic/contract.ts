import { type Dialect, Type } from '@icosa/contract'

/** Services with HTTP basic authentication by user name and key (RFC 7617). Errors are plain text. */
export const basicDialect: Dialect = {
  name: 'basic',
  security: { type: 'http', scheme: 'basic' },
  operationNames: 'unique',
  caseSensitive: false,
  queryEmpty: 'absent',
  error: Type.String(),
  errorType: 'text/plain',
}
