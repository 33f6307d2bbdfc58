import { platformAudience } from '@icosa/tokens'
import { platformScope } from './platform-scope.ts'

/** The platform as the library knows what tokens are for: they last an hour, and every node checks them by itself. */
export const platformResource = {
  audience: platformAudience,
  scope: platformScope,
  accessTokenFormat: 'jwt' as const,
  accessTokenTTL: 3600,
  jwt: { sign: { alg: 'ES256' as const } },
}
