import { sized } from '@icosa/testing'
import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { redirectUri, signIn, startIdentity } from '../testing/app.ts'

const codes = sized(100, 1_000)
const redeemsOfEach = 100
const parallel = 32

test(`${codes * redeemsOfEach} redeems of ${codes} codes, 32 at a time: each code works once, and a replay ends what it gave`, async () => {
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
  await using pool = disposable(new Pool(origin, { connections: parallel }))
  const redeem = async (code: string) => {
    const { statusCode, body } = await pool.it.request({
      method: 'POST',
      path: '/identity-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=authorization_code&code=${code}&redirect_uri=${encodeURIComponent(redirectUri)}&client_id=${client_id}&client_secret=${client_secret}`,
    })
    return { status: statusCode, answer: (await body.json()) as { access_token?: string; error?: string } }
  }

  let succeeded = 0
  const refusals = new Map<string, number>()
  const tokens: string[] = []
  for (let made = 0; made < codes; made++) {
    const code = (await visitor.get(authorize)).location?.searchParams.get('code') ?? ''
    let left = redeemsOfEach
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        while (left-- > 0) {
          const { status, answer } = await redeem(code)
          if (status === 200) succeeded++
          else refusals.set(`${status} ${answer.error}`, (refusals.get(`${status} ${answer.error}`) ?? 0) + 1)
          if (answer.access_token) tokens.push(answer.access_token)
        }
      }),
    )
  }
  console.log(`${succeeded} of ${codes * redeemsOfEach} succeeded; the rest:`, Object.fromEntries(refusals))
  expect(succeeded).toBe(codes)
  expect(Object.fromEntries(refusals)).toEqual({ '400 invalid_grant': codes * (redeemsOfEach - 1) })

  let alive = 0
  for (const token of tokens) {
    const { statusCode, body } = await pool.it.request({
      method: 'GET',
      path: '/identity-connect/userinfo',
      headers: { authorization: `Bearer ${token}` },
    })
    await body.dump()
    if (statusCode !== 401) alive++
  }
  expect(alive, 'access tokens that outlived the replay of their code').toBe(0)
})

function disposable(it: Pool) {
  return { it, [Symbol.asyncDispose]: () => it.close() }
}
