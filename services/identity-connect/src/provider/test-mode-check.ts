import { interactionPolicy } from 'oidc-provider'
import { isLoopback } from '../clients/metadata.ts'
import { testHost } from '../clients/test-mode.ts'

/**
 * Anybody could make a link that sends a person from here to an address of their own, so the person is asked every time, on
 * a page that says where they go. On their own machine nobody else is at the other end.
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
