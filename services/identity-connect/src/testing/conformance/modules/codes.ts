import { expect } from 'vitest'
import { redirectUri } from '../../app.ts'
import { type Outcome, signInAt } from '../flow.ts'
import { type Context, type Module, withCode } from '../plan.ts'

/** Replayed authorization codes. */
export const codeModules: readonly Module[] = [
  {
    name: 'oidcc-codereuse',
    appliesTo: withCode,
    async run(context) {
      await expectReplayRejected(context, await signInAt(context))
      return undefined
    },
  },
  {
    name: 'oidcc-codereuse-30seconds',
    appliesTo: withCode,
    alone: true,
    async run(context) {
      const outcome = await signInAt(context)
      // The suite waits; the platform's clock can be moved.
      await context.identity.app.clock.advance(30_000)
      await expectReplayRejected(context, outcome)
      const { userinfo_endpoint = '' } = context.config.serverMetadata()
      const authorization = `Bearer ${outcome.accessToken}`
      const { status } = await fetch(userinfo_endpoint, { headers: { authorization } })
      expect(status, 'the access token is revoked').toBe(401)
      return undefined
    },
  },
]

async function expectReplayRejected({ config, client }: Context, { responseParams }: Outcome): Promise<void> {
  const basic = `${client.client_id}:${client.client_secret}`
  const response = await fetch(config.serverMetadata().token_endpoint ?? '', {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(basic).toString('base64')}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: responseParams.get('code') ?? '',
      redirect_uri: redirectUri,
    }),
  })
  expect(response.status).toBe(400)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const { error, error_description = '' } = (await response.json()) as Record<string, string>
  expect(error).toBe('invalid_grant')
  expect(error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
}
