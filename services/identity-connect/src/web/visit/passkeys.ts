import type { RelyingParty } from '../../passkeys/passkeys.ts'
import type { Visit } from './visit.ts'

/** The relying party is the host in the address bar. */
export function relyingParty({ issuer, parts }: Visit): RelyingParty {
  const { origin, hostname } = new URL(issuer)
  return { id: hostname, name: parts.settings.brand, origin }
}

/** Loaded on first use: the library would add 0.2 s to every node's startup. */
export const passkeys = () => import('../../passkeys/passkeys.ts')
