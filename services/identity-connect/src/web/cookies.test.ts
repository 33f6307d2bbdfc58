import { expect, test } from 'vitest'
import { hostCookies, libraryCookies } from '../provider/exchange/host-cookies.ts'
import { ada, startIdentity } from '../testing/app.ts'
import type { Page } from '../testing/browser.ts'

test.each([
  ['https://id.example.com', 'https'],
  [undefined, 'http'],
])('every cookie of a sign-in and a sign-out is for this host alone (%s)', async (origin, scheme) => {
  await using identity = await startIdentity(origin ? { publicUrls: [origin] } : {})
  await identity.person()
  const visitor = identity.browser()
  const lines: string[] = []
  const seen = (page: Page) => {
    lines.push(...page.headers.getSetCookie())
    return page
  }
  const headers = { origin: origin ?? identity.app.url }
  const inside = (to: string | URL) =>
    new URL(to, identity.app.url).href.replace(origin ?? identity.app.url, identity.app.url)
  const get = async (to: string | URL) => seen(await visitor.get(inside(to)))
  const arrive = async (first: Page) => {
    let page = first
    while (page.location) page = await get(page.location)
    return page
  }
  const start = await arrive(await get(`${identity.issuer}/account`))
  // Another sign-in begins in another tab, and the first one still ends well.
  if (origin) await arrive(await get(`${identity.issuer}/account`))
  const { email, password } = ada
  const inTime = await arrive(seen(await visitor.post(`${inside(start.url)}/sign-in`, { email, password }, headers)))
  expect(inTime.text).toContain(ada.email)
  const leaving = await get(`${identity.issuer}/session/end`)
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(leaving.text) ?? []
  await arrive(seen(await visitor.post(`${identity.issuer}/session/end/confirm`, { xsrf, logout: 'yes' }, headers)))

  const names = lines.map((line) => (line.split('=')[0] ?? '').replace(/\.sig|\.[\w-]{20,}/g, ''))
  const known = ['icosa_browser_state', 'icosa_device', 'icosa_interaction', 'icosa_resume', 'icosa_session']
  const isSecure = scheme === 'https'
  expect([...new Set(names)].sort()).toEqual(known.map((name) => (isSecure ? `__Host-${name}` : name)))
  for (const line of lines) {
    expect(line).not.toMatch(/; *domain=/i)
    expect(line).toMatch(isSecure ? /; *samesite=(none|lax|strict)/i : /; *samesite=lax/i)
    if (isSecure) expect(line).toMatch(/(?=.*; *secure)(?=.*; *path=\/(;|$))/i)
    else expect(line).toMatch(/; *path=\/identity-connect/i)
    if (!line.includes('icosa_browser_state')) expect(line).toMatch(/; *httponly/i) // the script of a frame reads that one
  }
})

const uid = (n: number) => String(n).padStart(21, 'x')

test('the library sees the cookies of its own path alone, and none without the prefix', () => {
  const sent = `__Host-icosa_session=a; icosa_session=planted; __Host-icosa_resume.${uid(1)}=b; __Host-icosa_resume.sig.${uid(1)}=c`
  expect(libraryCookies(sent, `/authorize/${uid(1)}?x`)).toBe('icosa_session=a; icosa_resume=b; icosa_resume.sig=c')
  expect(libraryCookies(sent, `/authorize/${uid(2)}`)).not.toContain('icosa_resume=')
  expect(libraryCookies('', '/')).toBe('')
})

test('a browser keeps the cookies of eight sign-ins, the latest', () => {
  const sent = Array.from({ length: 10 }, (_, n) => `__Host-icosa_interaction.${uid(n)}=x`).join('; ')
  const [begun, ...ended] = hostCookies(
    [`icosa_interaction=y; path=/identity-connect/interaction/${uid(10)}; httponly`],
    sent,
  )
  expect(begun).toBe(`__Host-icosa_interaction.${uid(10)}=y; path=/; httponly`)
  expect(new Set(ended.map((line) => /\.(x+\d+)=;/.exec(line)?.[1]))).toEqual(new Set([uid(0), uid(1), uid(2)]))
  expect(hostCookies(['icosa_session=z; path=/identity-connect'], sent)).toEqual(['__Host-icosa_session=z; path=/'])
})
