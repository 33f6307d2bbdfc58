import type { KoaContextWithOIDC } from 'oidc-provider'
import { webAddress } from '../../pages/elements/address.ts'

/** The `display` of the window that a modal's frame opens. */
export const modalWindow = 'window'

/** The outcome of a sign-in in such a window, which its frame waits for; undefined if this is none. */
export function outcomeForFrame({ oidc, response }: KoaContextWithOIDC): string | undefined {
  return oidc.params?.display === modalWindow ? webAddress(response.get('location')) : undefined
}
