/** Browsers accept this prefix only over TLS, for `/` and for one host: no other host of the site can set it. */
export const hostPrefix = '__Host-'

export interface CookieOptions {
  /** Whether the page uses TLS. Without it, the prefix is omitted: clients other than browsers would not return it. */
  readonly isSecure: boolean
  /** Path without TLS; with the prefix it must be `/`. */
  readonly path: string
  readonly sameSite: 'Lax' | 'Strict'
}

/** A cookie for the platform's host alone, inaccessible to scripts. */
export function hostCookie(name: string, { isSecure, path, sameSite }: CookieOptions) {
  const prefixed = isSecure ? hostPrefix + name : name
  const attributes = `Path=${isSecure ? '/' : path}; HttpOnly; SameSite=${sameSite}${isSecure ? '; Secure' : ''}`
  return {
    /** Returns its value in a `Cookie` header. */
    read: (header = '') => cookiesIn(header).find(([cookie]) => cookie === prefixed)?.[1],
    /** Returns a `Set-Cookie` header. */
    write: (value: string, maxAgeSeconds: number) => `${prefixed}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
  }
}

/** Names and values in a `Cookie` header. */
export const cookiesIn = (header: string): (readonly [name: string, value: string])[] =>
  header.split(';').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return [name, value.join('=')]
  })
