export { type CookieOptions, cookiesIn, hostCookie, hostPrefix } from './cookie.ts'
export { type Attribute, attribute, type Html, html, raw, render, type Value } from './html.ts'
export { type Page, type PageParts, page } from './page.ts'
