/** Browsers take a cookie with this prefix only over TLS, for `/` and for one host: no other host of the site can set it. */
export const hostPrefix = '__Host-'

export interface CookieOptions {
  /** Whether the page is served over TLS. Without it there is no prefix: clients other than browsers would not send it back. */
  readonly isSecure: boolean
  /** Where it is sent without TLS; with the prefix it has to be everywhere. */
  readonly path: string
  readonly sameSite: 'Lax' | 'Strict'
}

/** A cookie for the host of the platform alone, which scripts cannot read. */
export function hostCookie(name: string, { isSecure, path, sameSite }: CookieOptions) {
  const prefixed = isSecure ? hostPrefix + name : name
  const attributes = `Path=${isSecure ? '/' : path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return {
    /** Its value in a `Cookie` header. */
    read: (header = '') => cookiesIn(header).find(([found]) => found === prefixed)?.[1],
    /** A `Set-Cookie` header. */
    write: (value: string, maxAgeSeconds: number) => `${prefixed}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
  }
}

/** Names and values of a `Cookie` header. */
export const cookiesIn = (header: string): (readonly [name: string, value: string])[] =>
  header.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return [name, value.join('=')]
  })
