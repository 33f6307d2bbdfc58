import { extensions, named, oneOf, type Static, Type } from '@icosa/contract'
import { api, KeyValue, ModelName, Nothing, RoleArn } from '../shapes/contract.ts'

const LoggingOptions = named('LoggingOptions', {
  roleArn: RoleArn,
  level: oneOf('ERROR', 'INFO', 'DEBUG'),
  enabled: Type.Boolean(),
  detectorDebugOptions: Type.Optional(
    Type.Array(named('DetectorDebugOption', { detectorModelName: ModelName, keyValue: Type.Optional(KeyValue) }), {
      minItems: 1,
      maxItems: 100,
    }),
  ),
})
export interface LoggingOptions extends Static<typeof LoggingOptions> {}

export const logging = extensions({
  PutLoggingOptions: api.put('/logging', {
    summary: 'Set the logging options.',
    body: named('PutLoggingOptionsRequest', { loggingOptions: LoggingOptions }),
    replies: { 200: Nothing },
  }),
  DescribeLoggingOptions: api.get('/logging', {
    summary: 'Read the logging options.',
    replies: { 200: named('DescribeLoggingOptionsResponse', { loggingOptions: LoggingOptions }) },
  }),
})
