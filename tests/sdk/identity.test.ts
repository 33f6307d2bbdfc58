import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { startSdkPlatform } from './support.ts'

test("@azure/identity's ClientSecretCredential gets a token that the platform accepts", async () => {
  await using platform = await startSdkPlatform(() => [])
  const { token, expiresOnTimestamp } = await platform.credential.getToken(`${platform.url}/.default`)
  const { exp = 0, tenant } = decodeJwt(token)
  expect(tenant).toBe(platform.tenant)
  expect(Math.abs(expiresOnTimestamp / 1000 - exp)).toBeLessThan(5)
  const answer = await fetch(`${platform.url}/identity-connect/client`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.status).toBe(200)
})
