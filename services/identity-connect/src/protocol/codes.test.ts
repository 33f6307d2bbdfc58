import { sized } from '@icosa/testing'
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { redirectUri, signIn, startIdentity } from '../testing/app.ts'

const codes = sized(20, 1_000)
const redemptionsPerCode = sized(40, 100)
const concurrency = 32

test(`${codes * redemptionsPerCode} redemptions of ${codes} codes, 32 at a time: each code works once, and a replay revokes its tokens`, async () => {
  await using identity = await startIdentity({ maxConnections: 16 })
  const { client_id, client_secret } = await identity.client()
  await identity.person()
  const visitor = identity.browser()
  const request = new URLSearchParams({
    client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid',
    state: 'st',
  })
  const authorize = `${identity.issuer}/authorize?${request}`
  await signIn(visitor, await visitor.get(authorize))

  const { origin } = new URL(identity.issuer)
  await using pool = disposable(new Pool(origin, { connections: concurrency }))
  const redeem = async (code: string) => {
    const { statusCode, body } = await pool.it.request({
      method: 'POST',
      path: '/identity-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=authorization_code&code=${code}&redirect_uri=${encodeURIComponent(redirectUri)}&client_id=${client_id}&client_secret=${client_secret}`,
    })
    return { status: statusCode, response: (await body.json()) as { access_token?: string; error?: string } }
  }

  let succeeded = 0
  const errors = new Map<string, number>()
  const tokens: string[] = []
  for (let nth = 0; nth < codes; nth++) {
    const code = (await visitor.get(authorize)).location?.searchParams.get('code') ?? ''
    let remaining = redemptionsPerCode
    await Promise.all(
      Array.from({ length: concurrency }, async () => {
        while (remaining-- > 0) {
          const { status, response } = await redeem(code)
          if (status === 200) succeeded++
          else errors.set(`${status} ${response.error}`, (errors.get(`${status} ${response.error}`) ?? 0) + 1)
          if (response.access_token) tokens.push(response.access_token)
        }
      }),
    )
  }
  console.log(`${succeeded} of ${codes * redemptionsPerCode} succeeded; the rest:`, Object.fromEntries(errors))
  expect(succeeded).toBe(codes)
  expect(Object.fromEntries(errors)).toEqual({ '400 invalid_grant': codes * (redemptionsPerCode - 1) })

  let valid = 0
  for (const token of tokens) {
    const { statusCode, body } = await pool.it.request({
      method: 'GET',
      path: '/identity-connect/userinfo',
      headers: { authorization: `Bearer ${token}` },
    })
    await body.dump()
    if (statusCode !== 401) valid++
  }
  expect(valid, 'access tokens that survived the replay of their code').toBe(0)
})

function disposable(it: Pool) {
  return { it, [Symbol.asyncDispose]: () => it.close() }
}
