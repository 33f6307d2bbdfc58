import type { ObservedExchange } from '@icosa/kernel'
import { diagnostics } from '../contract.ts'

/** An exchange with defaults. */
export function exchange({ request = {}, response = {}, ...more }: Partial<ExchangeFields> = {}): ObservedExchange {
  return {
    requestId: 'node-1',
    operation: 'translateText',
    isWriting: false,
    contract: diagnostics.get,
    caller: 'key_1',
    method: 'GET',
    path: '/braille-translation/translate',
    query: '',
    traceId: undefined,
    clientIp: '192.0.2.7',
    status: 200,
    durationMs: 1.5,
    ...more,
    request: { headers: {}, body: undefined, ...request },
    response: { headers: {}, body: undefined, ...response },
  }
}

type ExchangeFields = Omit<ObservedExchange, 'request' | 'response'> & {
  readonly request: Partial<ObservedExchange['request']>
  readonly response: Partial<ObservedExchange['response']>
}
