import type { Visit } from './visit.ts'

/** The browser's session; without `accountId` the visitor is not signed in. */
export const sessionOf = ({ provider, request, exchange }: Visit) =>
  provider.Session.get(provider.createContext(request, exchange.response))
