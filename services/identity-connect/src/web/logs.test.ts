import { createLog } from '@icosa/telemetry'
import { expect, test } from 'vitest'
import { ada, redirectUri, signIn, startIdentity } from '../testing/app.ts'

test('no link, code, token, cookie or password is ever in the log', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'trace', destination: { write: (line: string) => void lines.push(line) } })
  await using identity = await startIdentity({ log })
  const { issuer } = identity
  const visitor = identity.browser()
  const secrets = new Set<string>()
  const addSecrets = (...values: (string | null | undefined)[]) => {
    for (const secret of values) if (secret) secrets.add(secret)
  }

  // A user signs up, confirms, resets the password, and authorizes an application, with some failures.
  const page = await visitor.open(`${issuer}/account`)
  const { name, email, password } = ada
  const form = await visitor.get(`${page.url.href}/sign-up`)
  await visitor.follow(await visitor.submit(form, '/sign-up', { name, email, password }))
  await visitor.post(`${issuer}/forgot`, { email })
  const mails = (await identity.mails()).map((mail) => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
  const tokens = mails.flatMap((mail) => /token=([\w-]+)/.exec(mail)?.[1] ?? [])
  expect(tokens).toHaveLength(2)
  for (const path of ['verify', 'reset', 'invitation', 'nowhere'])
    for (const token of tokens) await visitor.get(`${issuer}/${path}?token=${token}`)
  const reset = tokens.at(-1) ?? ''
  await visitor.post(`${issuer}/reset`, { token: reset, password: 'short' })
  const next = 'analytical engine no. 4'
  await visitor.post(`${issuer}/reset`, { token: reset, password: next })

  const { client_id, client_secret } = await identity.client()
  const request = { client_id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid', state: 'st' }
  const start = await visitor.get(`${issuer}/authorize?${new URLSearchParams(request)}`)
  const code = (await signIn(visitor, start, { ...ada, password: next })).location?.searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, client_id, client_secret }
  const response = await fetch(`${issuer}/token`, { method: 'POST', body: new URLSearchParams(grant) })
  const { access_token, id_token } = (await response.json()) as { access_token: string; id_token: string }
  await fetch(`${issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}x` } })

  addSecrets(...tokens, password, next, code, client_secret, access_token, id_token)
  addSecrets(...[...visitor.cookies.values()].map(({ value }) => value))
  expect(secrets.size).toBeGreaterThan(9)
  const text = lines.join('')
  expect(text, 'something was logged').toContain('mail written')
  for (const secret of secrets) expect(text).not.toContain(secret)
})
