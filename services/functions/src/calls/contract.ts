import { extensions, named, oneOf, Type } from '@icosa/contract'
import { api, oneFunction } from '../api/contract.ts'

const Headers = Type.Record(Type.String({ maxLength: 8_000 }))

/** Beyond the specification. */
export const calls = extensions({
  callFunction: api.post(`${oneFunction}:call`, {
    summary: 'Call a function as its owner, regardless of its policy. Returns its response within limits.',
    body: named('CallFunctionRequest', {
      method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
      path: Type.String({ pattern: '^/[!-~]*$', maxLength: 1_000, description: 'With the query.' }),
      headers: Type.Optional(Headers),
      body: Type.Optional(Type.String({ maxLength: 1_000_000, description: 'Text. GET and HEAD send none.' })),
    }),
    replies: {
      200: named('CallFunctionResponse', {
        status: Type.Integer(),
        headers: Type.Record(Type.String()),
        body: Type.String({ description: 'At most 1 MiB: text, or Base64 if it is none.' }),
        isBase64: Type.Boolean(),
        isTruncated: Type.Boolean(),
        durationMs: Type.Number(),
        executionId: Type.String({ description: 'Of the lines in its log.' }),
      }),
    },
  }),
})
