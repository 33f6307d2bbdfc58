import { expect, test } from 'vitest'
import { hostCookies, libraryCookies } from '../provider/exchange/host-cookies.ts'
import { ada, startIdentity } from '../testing/app.ts'
import type { Page } from '../testing/browser.ts'

test.each([
  ['https://id.example.com', 'https'],
  [undefined, 'http'],
])('all cookies of a sign-in and sign-out are host-only (%s)', async (origin, scheme) => {
  await using identity = await startIdentity(origin ? { publicUrls: [origin] } : {})
  await identity.person()
  const visitor = identity.browser()
  const lines: string[] = []
  const record = (page: Page) => {
    lines.push(...page.headers.getSetCookie())
    return page
  }
  const headers = { origin: origin ?? identity.app.url }
  const inside = (to: string | URL) =>
    new URL(to, identity.app.url).href.replace(origin ?? identity.app.url, identity.app.url)
  const get = async (to: string | URL) => record(await visitor.get(inside(to)))
  const followAll = async (first: Page) => {
    let page = first
    while (page.location) page = await get(page.location)
    return page
  }
  const start = await followAll(await get(`${identity.issuer}/account`))
  // Another sign-in starts in another tab, and the first one still succeeds.
  if (origin) await followAll(await get(`${identity.issuer}/account`))
  const { email, password } = ada
  const signedIn = await followAll(
    record(await visitor.post(`${inside(start.url)}/sign-in`, { email, password }, headers)),
  )
  expect(signedIn.text).toContain(ada.email)
  const signOut = await get(`${identity.issuer}/session/end`)
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(signOut.text) ?? []
  await followAll(
    record(await visitor.post(`${identity.issuer}/session/end/confirm`, { xsrf, logout: 'yes' }, headers)),
  )

  const names = lines.map((line) => (line.split('=')[0] ?? '').replace(/\.sig|\.[\w-]{20,}/g, ''))
  const expected = ['icosa_browser_state', 'icosa_device', 'icosa_interaction', 'icosa_resume', 'icosa_session']
  const isSecure = scheme === 'https'
  expect([...new Set(names)].sort()).toEqual(expected.map((name) => (isSecure ? `__Host-${name}` : name)))
  for (const line of lines) {
    expect(line).not.toMatch(/; *domain=/i)
    expect(line).toMatch(isSecure ? /; *samesite=(none|lax|strict)/i : /; *samesite=lax/i)
    if (isSecure) expect(line).toMatch(/(?=.*; *secure)(?=.*; *path=\/(;|$))/i)
    else expect(line).toMatch(/; *path=\/identity-connect/i)
    if (!line.includes('icosa_browser_state')) expect(line).toMatch(/; *httponly/i) // read by the frame's script
  }
})

const uid = (n: number) => String(n).padStart(21, 'x')

test('the library gets only prefixed cookies of its own path', () => {
  const sent = `__Host-icosa_session=a; icosa_session=planted; __Host-icosa_resume.${uid(1)}=b; __Host-icosa_resume.sig.${uid(1)}=c`
  expect(libraryCookies(sent, `/authorize/${uid(1)}?x`)).toBe('icosa_session=a; icosa_resume=b; icosa_resume.sig=c')
  expect(libraryCookies(sent, `/authorize/${uid(2)}`)).not.toContain('icosa_resume=')
  expect(libraryCookies('', '/')).toBe('')
})

test('a browser keeps the cookies of the latest eight sign-ins', () => {
  const sent = Array.from({ length: 10 }, (_, n) => `__Host-icosa_interaction.${uid(n)}=x`).join('; ')
  const [started, ...ended] = hostCookies(
    [`icosa_interaction=y; path=/identity-connect/interaction/${uid(10)}; httponly`],
    sent,
  )
  expect(started).toBe(`__Host-icosa_interaction.${uid(10)}=y; path=/; httponly`)
  expect(new Set(ended.map((line) => /\.(x+\d+)=;/.exec(line)?.[1]))).toEqual(new Set([uid(0), uid(1), uid(2)]))
  expect(hostCookies(['icosa_session=z; path=/identity-connect'], sent)).toEqual(['__Host-icosa_session=z; path=/'])
})
