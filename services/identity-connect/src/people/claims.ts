import type { PostalAddress } from './profile.ts'
import type { Person } from './store.ts'

/** The standard claims of OpenID Connect, without unknown ones. */
export function claimsOf({ id, email, emailVerified, profile, updatedAt }: Person): Record<string, unknown> {
  const { address, ...texts } = profile
  return {
    sub: id,
    ...texts,
    email,
    email_verified: emailVerified,
    ...(texts.phone_number !== undefined && { phone_number_verified: false }), // phone numbers are never verified
    ...(address && { address: { formatted: formatted(address), ...address } }),
    updated_at: Math.floor(updatedAt.getTime() / 1000),
  }
}

/** As on an envelope. */
function formatted({ street_address, postal_code, locality, region, country }: PostalAddress): string {
  const town = [postal_code, locality].filter(Boolean).join(' ')
  return [street_address, town, region, country].filter(Boolean).join('\n')
}
