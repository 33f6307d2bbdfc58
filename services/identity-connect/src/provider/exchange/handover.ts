import type { KoaContextWithOIDC } from 'oidc-provider'
import { webAddress } from '../../pages/elements/address.ts'

/** The `display` of the window that a modal's frame opens. */
export const modalWindow = 'window'

/** The result URL of a sign-in in such a window, for its frame; undefined in other displays. */
export function outcomeForFrame({ oidc, response }: KoaContextWithOIDC): string | undefined {
  return oidc.params?.display === modalWindow ? webAddress(response.get('location')) : undefined
}
