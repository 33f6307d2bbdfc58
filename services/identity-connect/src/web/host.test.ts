import { request } from 'node:http'
import { expect, test } from 'vitest'
import { ada, type IdentityApp, startIdentity } from '../testing/app.ts'

/** A custom client, since others do not allow forging the Host header. */
function forgot({ app }: IdentityApp, headers: Readonly<Record<string, string>>): Promise<number> {
  const url = new URL('/identity-connect/forgot', app.url)
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => resolve(response.resume().statusCode ?? 0))
    outgoing.end(new URLSearchParams({ email: ada.email }).toString())
  })
}

const linkIn = (mail = '') => /https?:\/\/[^/\s]+/.exec(mail.replace(/=\r?\n/g, ''))?.[0]

test('a reset mail links to the public URL, whatever host the request has', async () => {
  const publicUrls = ['https://id.example.com', 'https://other.example.com']
  await using identity = await startIdentity({ publicUrls, trustedProxies: 1 })
  await identity.person()
  for (const [headers, link] of [
    [{ host: 'evil.example' }, 'https://id.example.com'],
    [{ host: 'id.example.com.evil.example' }, 'https://id.example.com'],
    [{ host: 'id.example.com', 'x-forwarded-host': 'evil.example' }, 'https://id.example.com'],
    [{ host: 'id.example.com', 'x-forwarded-proto': 'ftp' }, 'https://id.example.com'],
    [{ host: 'other.example.com' }, 'https://other.example.com'],
  ] as const) {
    expect(await forgot(identity, headers)).toBe(200)
    expect(linkIn((await identity.mails()).at(-1)), JSON.stringify(headers)).toBe(link)
    await identity.app.clock.advance(3_600_000) // stays below the hourly mail limit
  }
})
