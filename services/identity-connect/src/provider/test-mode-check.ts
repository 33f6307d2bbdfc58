import { interactionPolicy } from 'oidc-provider'
import { isLoopback } from '../clients/metadata.ts'
import { testHost } from '../clients/test-mode.ts'

/**
 * Anyone could craft a link that redirects users to an unregistered URI, so consent is requested every time, on a page that
 * shows the host. Loopback addresses are exempt.
 */
export function testModeCheck() {
  const { Check } = interactionPolicy
  return new Check('test_mode', 'the client is in test mode', 'consent_required', (ctx) => {
    const { client, params, result } = ctx.oidc
    const address = params?.redirect_uri
    if (!client || result?.consent || testHost(client, address) === undefined) return Check.NO_NEED_TO_PROMPT
    return isLoopback(String(address)) ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT
  })
}
