import type { Provider } from 'oidc-provider'

export const redirectUri = 'https://rp.example/cb'
export const clientId = 'bench'

/** Creates codes as /authorize does, without a browser. */
export async function mint(provider: Provider, accountId: string, client: string, count: number): Promise<string[]> {
  const found = await provider.Client.find(client)
  if (!found) throw new Error(`no client ${client}`)
  const codes: string[] = []
  for (let created = 0; created < count; created++) {
    const grant = new provider.Grant({ accountId, clientId: client })
    grant.addOIDCScope('openid email')
    const code = new provider.AuthorizationCode({
      accountId,
      client: found,
      grantId: await grant.save(),
      redirectUri,
      scope: 'openid email',
      authTime: 1_700_000_000,
      claims: {},
    } as never)
    codes.push(await code.save())
  }
  return codes
}

/** Answers the parent's requests for codes. */
export function serveCodes(
  address: string,
  client: { id: string; secret: string },
  more: (count: number) => Promise<string[]>,
) {
  process.once('disconnect', () => process.exit()) // no orphans, however the parent ended
  process.on('message', async (count: number) => process.send?.(await more(count)))
  process.send?.({ address, ...client })
}
