import { platformAudience } from '@icosa/tokens'
import { platformScope } from './platform-scope.ts'

/** The platform as a resource server: its tokens last an hour, and every node verifies them locally. */
export const platformResource = {
  audience: platformAudience,
  scope: platformScope,
  accessTokenFormat: 'jwt' as const,
  accessTokenTTL: 3600,
  jwt: { sign: { alg: 'ES256' as const } },
}
