import { cookiesIn, hostPrefix } from '@icosa/pages'
import { shortCookies } from '../../names.ts'

/**
 * The library scopes the cookies of one sign-in by path, as `__Host-` does not allow. Between library and browser they are
 * therefore renamed: `icosa_resume` for `/identity-connect/authorize/UID` is `__Host-icosa_resume.UID` for `/`.
 */

/** The format of the library's ids. */
const uid = /^[\w-]{20,}$/

/** Sign-ins, or steps of them, for which a browser keeps cookies, since all are sent with every request. */
const maxSignIns = 8

/** Converts the `Cookie` header of a request to a path for the library. */
export function libraryCookies(header: string, path: string): string {
  const segments = path.replace(/\?.*/s, '').split('/')
  const own = segments.find((segment) => uid.test(segment))
  const renamed = cookiesIn(header).flatMap(([name, value]) => {
    if (!name.startsWith(hostPrefix)) return []
    const plain = name.slice(hostPrefix.length)
    return [`${own && plain.endsWith(`.${own}`) ? plain.slice(0, -own.length - 1) : plain}=${value}`]
  })
  return renamed.join('; ')
}

/** Converts the library's `Set-Cookie` lines for the browser, and deletes the cookies of all but the latest sign-ins. */
export function hostCookies(lines: readonly string[], sent: string): string[] {
  const renamed = lines.map(toHostCookie)
  const before = cookiesIn(sent).flatMap(([name]) => (isShort(name) ? (name.split('.').at(-1) ?? []) : []))
  const ended = renamed.some((line) => isShort(line)) ? [...new Set(before)].slice(0, 1 - maxSignIns) : []
  const names = shortCookies.flatMap((name) => [name, `${name}.sig`])
  return [...renamed, ...ended.flatMap((id) => names.map((name) => `${hostPrefix}${name}.${id}=; ${attributes}`))]
}

const attributes = 'path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT; samesite=none; secure; httponly'

const isShort = (name: string) => shortCookies.some((short) => name.startsWith(hostPrefix + short))

function toHostCookie(line: string): string {
  const id = /; path=([^;]*)/i.exec(line)?.[1]?.split('/').at(-1) ?? ''
  return line
    .replace(/^[^=]*/, (name) => hostPrefix + name + (uid.test(id) ? `.${id}` : ''))
    .replace(/; path=[^;]*/i, '; path=/')
}
