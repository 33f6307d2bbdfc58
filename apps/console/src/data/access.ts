/** A credential, kept in memory only: never in a URL, storage or a cookie. */
export interface Access {
  /** A key, or the access token of a person. */
  readonly key: string
  readonly isToken?: boolean
  /** For services that require signed requests. */
  readonly signing?: { readonly id: string; readonly secret: string } | undefined
}

/** In development mode, the node writes its public key into the page, which other origins cannot read. */
function givenAccess(): Access | undefined {
  const content = document.querySelector('meta[name="icosa-access"]')?.getAttribute('content')
  return content ? JSON.parse(content) : undefined
}

let current = givenAccess()
const listeners = new Set<() => void>()

export const access = {
  get: () => current,
  set(next: Access | undefined) {
    current = next
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** The headers of services that take a key. They take a token as well. */
export function keyHeaders(name: string): Record<string, string> {
  const { key, isToken } = current ?? { key: '' }
  return isToken ? { authorization: `Bearer ${key}` } : { [name]: key }
}

/** The platform's own API, with this page's key. */
export const platformTarget = () => ({
  baseUrl: `${location.origin}/platform`,
  headers: keyHeaders('x-api-key'),
})
