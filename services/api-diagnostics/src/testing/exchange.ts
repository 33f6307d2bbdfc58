import type { ObservedExchange } from '@icosa/kernel'

/** An answered request; what a test is about is given. */
export function exchange({ request = {}, response = {}, ...more }: Partial<Given> = {}): ObservedExchange {
  return {
    requestId: 'node-1',
    operation: 'translateText',
    isWriting: false,
    caller: 'key_1',
    method: 'GET',
    path: '/braille-translation/translate',
    clientIp: '192.0.2.7',
    status: 200,
    durationMs: 1.5,
    ...more,
    request: { headers: {}, body: undefined, ...request },
    response: { headers: {}, body: undefined, ...response },
  }
}

type Given = Omit<ObservedExchange, 'request' | 'response'> & {
  readonly request: Partial<ObservedExchange['request']>
  readonly response: Partial<ObservedExchange['response']>
}
