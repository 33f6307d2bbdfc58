import type { TenantRule, TenantSource } from '@icosa/kernel'
import { headerNames, serviceName } from './names.ts'

/** Keys, session tokens, client ids and share URLs have the tenant in base64url. */
const clientId: TenantSource = {
  in: 'query',
  name: 'client_id',
  pattern: '^([\\w-]+)\\.',
  gives: 'tenant in base64url',
}

/** Where else than in a key requests name their tenant. */
const sessionSources: readonly TenantSource[] = headerNames.authentication.flatMap((name) => [
  { in: 'header', name, gives: 'credential' },
  { in: 'header', name, pattern: '^(?:session|sandbox)_[0-9a-f]{64}\\.([\\w-]+)$', gives: 'tenant in base64url' },
])

/** An installation is not of a tenant until it opens a session. */
export const tenantRules: Readonly<Record<string, TenantRule>> = {
  [`/${serviceName}`]: { sources: sessionSources, otherwise: 'home' },
  [`/${serviceName}/token`]: { sources: [clientId] },
  [`/${serviceName}/v1/token`]: { sources: [clientId] },
  [`/${serviceName}/auth`]: { sources: [clientId] },
  [`/${serviceName}/pay`]: {
    sources: [{ in: 'path', pattern: '/pay/([\\w-]+)\\.', gives: 'tenant in base64url' }],
  },
}
