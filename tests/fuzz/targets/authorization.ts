import { Failure, type Incoming } from '@icosa/kernel'
import { basicCaller } from '../../../packages/dialects/src/basic/server.ts'
import { readAuthorization, signedService } from '../../../packages/dialects/src/signed/authorization.ts'
import { canonicalRequest } from '../../../packages/dialects/src/signed/canonical.ts'
import { networkOf } from '../../../packages/kernel/src/http/connection/network.ts'
import { parseSigned } from '../../../services/configuration-stores/src/data-plane/authentication/signature.ts'
import type { Target } from '../target.ts'

const signature = 'a'.repeat(64)

export const target: Target = {
  seeds: [
    `AWS4-HMAC-SHA256 Credential=AKID/20261117/eu/backup/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    `/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKID%2F20261117%2Feu%2Fbackup%2Faws4_request&X-Amz-Date=20261117T100000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=${signature}`,
    `Basic ${Buffer.from('acme:key').toString('base64')}`,
    'HMAC-SHA256 Credential=id&SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=c2ln',
    '2001:db8::1%eth0',
  ],
  dictionary: [
    'Credential=',
    'Signature=',
    'SignedHeaders=',
    '%2F',
    '&',
    ';',
    ',',
    '+',
    '%',
    '?',
    'X-Amz-Date=',
    '::',
    '%zz',
  ],
  refusals: [Failure],
  maxBytes: 60_000,
  async run(bytes) {
    const text = bytes.toString('latin1')
    const headers = { authorization: text, host: 'a', 'x-amz-date': '20261117T100000Z' }
    networkOf(text)
    signedService({ headers, target: text })
    await basicCaller({ headers } as unknown as Incoming, { byKey: () => undefined })
    const attempts = [
      () => parseSigned(text.replace(/^HMAC-SHA256 /, '')),
      () => readAuthorization({ headers, target: '/' }),
      () => readAuthorization({ headers: { host: 'a' }, target: text }),
      () => canonicalRequest({ method: 'GET', target: text, headers: { host: text } }, ['host'], signature),
    ]
    for (const attempt of attempts)
      try {
        attempt()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
      }
  },
}
