import { hash } from 'node:crypto'
import type { Credentials, Incoming, SigningSecret } from '@icosa/kernel'
import { systemClock } from '@icosa/kernel'
import { expect, test } from 'vitest'
import { draft, signInHeader } from './testing/request.ts'
import { verifier } from './verify.ts'

const signer = { id: 'AKIDEXAMPLE', secret: 'a secret', region: 'us-east-1', service: 'book-shop' }
const secret: SigningSecret = {
  caller: { id: signer.id, tenant: 'acme', allows: () => true },
  secret: signer.secret,
  sessionTokenHash: undefined,
  expiresAt: null,
}
const credentials = { bySigningId: (id: string) => (id === signer.id ? secret : undefined) } as Credentials

function incoming(id: string, body: string): Incoming {
  const request = {
    ...draft('PUT', `/shop/books/${encodeURIComponent('arn:aws:book-shop:us-east-1:acme:book/1')}`, body),
    headers: [
      ['amz-sdk-invocation-id', '5f1c7a9e-5f3c-4f0e-9f57-2d5a54a9a3f1'],
      ['content-type', 'application/json'],
      ['x-amz-user-agent', 'aws-sdk-js/3.523.0'],
    ] as [string, string][],
  }
  const payloadHash = hash('sha256', body)
  const { method, target, headers } = signInHeader(request, 'http://127.0.0.1:4000', { ...signer, id }, { payloadHash })
  const url = new URL('http://127.0.0.1:4000')
  const bytes = Buffer.from(body)
  return {
    id: '1',
    method,
    target,
    url,
    ip: '127.0.0.1',
    params: {},
    headers: Object.fromEntries(headers),
    rawHeaders: headers.flat(),
    body: bytes,
  }
}

/** Median of interleaved slices: other load on the machine affects all alike. */
function microseconds<Name extends string>(works: Readonly<Record<Name, () => void>>): Record<Name, number> {
  const names = Object.keys(works) as Name[]
  const slices = Array.from({ length: 21 }, () => names.map((name) => cpuOf(works[name])))
  const median = (column: number) => slices.map((slice) => slice[column] as number).sort((a, b) => a - b)[10] as number
  return Object.fromEntries(names.map((name, column) => [name, median(column)])) as Record<Name, number>
}

function cpuOf(work: () => void, rounds = 1_000): number {
  const before = process.cpuUsage()
  for (let round = 0; round < rounds; round++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / rounds
}

test('checking a signature with a cached key takes 20 us of CPU; an unknown key costs the same', () => {
  const verify = verifier({ region: signer.region, signingNames: [signer.service], clock: systemClock })
  const [good, unknown] = [incoming(signer.id, '{"Note":"short"}'), incoming('AKIOTHER0000000', '{"Note":"short"}')]
  const bad = { ...good, method: 'POST' }
  const refused = (request: Incoming) => () => mustThrow(() => verify(request, credentials))
  const cost = microseconds({
    good: () => verify(good, credentials),
    bad: refused(bad),
    unknown: refused(unknown),
  })
  console.log(`signature check, CPU us: ${JSON.stringify(cost)}`)
  // The figure is for an idle machine; a busy one has cold caches.
  expect(cost.good).toBeLessThan(60)
  expect(cost.unknown / cost.bad).toBeGreaterThan(0.7)
  expect(cost.unknown / cost.bad).toBeLessThan(1.4)
})

function mustThrow(work: () => unknown): void {
  try {
    work()
  } catch {
    return
  }
  throw new Error('The request was accepted.')
}
