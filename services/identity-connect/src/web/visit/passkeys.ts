import type { RelyingParty } from '../../passkeys/passkeys.ts'
import type { Visit } from './visit.ts'

/** For whom a passkey is: the host that people see in the address bar. */
export function relyingParty({ issuer, parts }: Visit): RelyingParty {
  const { origin, hostname } = new URL(issuer)
  return { id: hostname, name: parts.settings.brand, origin }
}

/** Loaded when the first passkey is used: the library would be a fifth of a second at the start of every node. */
export const passkeys = () => import('../../passkeys/passkeys.ts')
