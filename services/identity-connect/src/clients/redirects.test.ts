import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultSettings } from '../index.ts'
import { openProviders } from '../provider/providers.ts'
import { startIdentity } from '../testing/app.ts'

const registered = 'https://rp.example.com/app/callback?source=icosa'
const inProcess = 100_000
const overHttp = 1_000

const insertions = [
  '/',
  '//',
  '.',
  '..',
  '/../',
  '%2e',
  '%2F',
  '\\',
  '@',
  ':',
  ':443',
  '#',
  '#x',
  '?',
  '&',
  '&x=1',
  ' ',
]
const replacements: readonly (readonly [string, string])[] = [
  ['https', 'http'],
  ['https', 'HTTPS'],
  ['https:', 'javascript:'],
  ['https:', 'data:'],
  ['rp.example.com', 'RP.example.com'],
  ['rp.example.com', 'rp.example.com.evil.example'],
  ['rp.example.com', 'evil.example'],
  ['rp.example.com', 'rp.example.com@evil.example'],
  ['rp.example.com', 'evil.example#rp.example.com'],
  ['rp.example.com', 'rp.example.com:8443'],
  ['rp.example.com', 'rp%2eexample.com'],
  ['rp.example.com', 'rр.example.com'], // a Cyrillic letter
  ['/app', ''],
  ['/app', '/APP'],
  ['/app', '/app/./x/..'],
  ['callback', 'callback/'],
  ['callback', 'callback%00'],
  ['callback', 'call%62ack'],
  ['?source=icosa', ''],
  ['source=icosa', 'source=icosa&source=evil'],
  ['source', 'Source'],
]

/** URLs that a lax comparison would accept. */
const similar = fc.oneof(
  fc
    .tuple(fc.nat(registered.length), fc.constantFrom(...insertions))
    .map(([at, text]) => registered.slice(0, at) + text + registered.slice(at)),
  fc.constantFrom(...replacements).map(([part, other]) => registered.replace(part, other)),
  fc
    .tuple(fc.nat(registered.length - 1), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))
    .map(([at, character]) => registered.slice(0, at) + character + registered.slice(at + 1)),
  fc.nat(registered.length - 1).map((at) => registered.slice(0, at) + registered.slice(at + 1)),
  fc.tuple(fc.nat(registered.length), fc.nat(registered.length)).map(([from, to]) => registered.slice(from, to)),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => registered + text),
  fc.webUrl({ withQueryParameters: true }),
  fc.constantFrom(
    registered.toUpperCase(),
    encodeURI(encodeURI(registered)),
    encodeURIComponent(registered),
    ` ${registered}`,
  ),
)

test(`of ${inProcess} URLs similar to a registered one, only the exact one is accepted`, async () => {
  await using identity = await startIdentity()
  const { client_id } = await identity.client({ redirect_uris: [registered], response_types: ['code'] })
  const { provider } = await openProviders(identity.app.platform, defaultSettings).at(new URL(identity.issuer))
  const client = await provider.Client.find(client_id)
  expect(client?.redirectUriAllowed(registered)).toBe(true)
  const wrong = new Set<string>()
  for (const uri of fc.sample(similar, { numRuns: inProcess, seed: 1 }))
    if (client?.redirectUriAllowed(uri) !== (uri === registered)) wrong.add(uri)
  expect([...wrong]).toEqual([])

  let errorPages = 0
  for (const uri of fc.sample(similar, { numRuns: overHttp, seed: 2 })) {
    if (uri === registered || !uri.isWellFormed()) continue
    const query = new URLSearchParams({
      client_id,
      redirect_uri: uri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
    })
    const { status, headers } = await fetch(`${identity.issuer}/authorize?${query}`, { redirect: 'manual' })
    expect({ uri, status, location: headers.get('location') }).toEqual({ uri, status: 400, location: null })
    errorPages++
  }
  expect(errorPages).toBeGreaterThan(overHttp * 0.9)
})
