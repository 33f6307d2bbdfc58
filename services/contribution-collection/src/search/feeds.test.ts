import { afterAll, beforeAll, expect, test } from 'vitest'
import { picture } from '../media/testing/files.ts'
import { type Ask, approved, startContributions, type World } from '../testing/app.ts'

let world: World
let desk: Ask
let key: string
beforeAll(async () => {
  world = await startContributions()
  desk = await world.tenant()
  key = await world.app.key('news')
})
afterAll(() => world[Symbol.asyncDispose]())

/** Addresses have the public name of the service, which a test node does not have. */
const here = (address: string) =>
  world.url + address.replace(/^.*?\/contribution-collection/, '').replaceAll('&amp;', '&')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a feed has an address that opens without a header, with its filter, and links to pages for people', async () => {
  const { contribution, params } = await approved(desk, 'Hail & thunder', 'Hail')
  await approved(desk, 'Another thing', 'Else')
  const asked = await fetch(`${world.url}/contributions?format=rss&q=thunder`, { headers: bearer(key) })
  const [, self = ''] = /<atom:link href="([^"]+)" rel="self"/.exec(await asked.text()) ?? []
  const feed = await fetch(here(self))
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, expect.stringContaining('application/rss+xml')])
  const text = await feed.text()
  expect(text.match(/<title>[^<]+/g)).toEqual(['<title>Contributions', '<title>Hail &amp; thunder'])
  expect(/<atom:link href="([^"]+)"/.exec(text)?.[1]).toBe(self)
  expect((await fetch(here(self).replace('thunder', 'thing'))).status).toBe(403)
  expect((await fetch(`${world.url}/feeds/news?q=thunder`)).status).toBe(403)

  const [, link = ''] = /<item>.*?<link>([^<]+)/.exec(text) ?? []
  expect(link).toBe((await desk.getContribution({ params })).body.webUrl)
  const page = await fetch(here(link))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<h1>Hail &amp; thunder</h1>')])
  await desk.moderateContribution({ params, body: { action: { id: 'reject' } } })
  expect((await fetch(here(link))).status).toBe(404)
  expect(await (await fetch(here(self))).text()).not.toContain(`contributions/${contribution.id}`)
  expect((await desk.getContribution({ params })).body.webUrl).toBeUndefined()
})

test('the enclosure of a feed is the largest copy of the picture', async () => {
  const content = await picture(1_600, 1_200).jpeg().toBuffer()
  const { body: file } = await desk.createMedia({ body: { mediaType: 'image/jpeg', content } as never })
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Pictures' } })
  const { body: made } = await desk.createContribution({
    body: { assignment: { id: assignment.id }, mediaUsages: [{ media: { id: file.id } }] },
  })
  await desk.moderateContribution({ params: { id: made.id }, body: { action: { id: 'approve' } } })
  await world.app.jobs.drain()
  const rss = await fetch(`${world.url}/contributions?format=rss&ids=${made.id}`, { headers: bearer(key) })
  const [, url = ''] = /<enclosure url="([^"]+)"/.exec(await rss.text()) ?? []
  const { artifacts } = (await desk.getContribution({ params: { id: made.id } })).body.mediaUsages[0] as {
    artifacts: { url: string; contentLength?: number }[]
  }
  expect(url).toBe(artifacts.toSorted((a, b) => (b.contentLength ?? 0) - (a.contentLength ?? 0))[0]?.url)
})

test('a public key reads what is public, from pages of any site, and nothing else', async () => {
  const publicKey = await world.app.key('news', ['contribution-collection:describePublicAccess'])
  const { contribution } = await approved(desk, 'Public thing', 'Public')
  const { body: pending } = await desk.createContribution({
    body: { assignment: { id: contribution.assignment.id }, headline: 'Pending thing' },
  })
  const get = (path: string) =>
    fetch(world.url + path, { headers: { ...bearer(publicKey), origin: 'https://site.example' } })
  const list = await get('/contributions?q=thing&state=any&user=')
  expect(list.headers.get('access-control-allow-origin')).toBe('*')
  const shown = (await (await get('/contributions?q=thing&state=any')).json()) as Record<string, unknown>[]
  expect(shown.map(({ headline }) => headline)).not.toContain('Pending thing')
  expect(shown.map(({ headline }) => headline)).toContain('Public thing')
  expect(shown[0]).not.toHaveProperty('via')
  expect((await get(`/contributions/${pending.id}`)).status).toBe(404)
  expect((await get('/public-access')).status).toBe(200)
  expect((await get('/users')).status).toBe(403)
  const posted = await fetch(`${world.url}/contributions`, {
    method: 'POST',
    headers: { ...bearer(publicKey), 'content-type': 'application/json' },
    body: JSON.stringify({ assignment: { id: contribution.assignment.id }, headline: 'No' }),
  })
  expect(posted.status).toBe(403)
  const asked = await fetch(`${world.url}/1/contributions`, { method: 'OPTIONS' })
  expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD'])
  expect(asked.headers.get('access-control-allow-headers')).toContain('authorization')
})

test('mails to subscribers lead to the contribution at the desk, those to authors to its page', async () => {
  const { contribution, params } = await approved(desk, 'At the desk', 'Desk')
  const mail = async (message: string) => (await desk.previewNotification({ params, query: { message } })).body.html
  const [, link = ''] = /href="([^"]*\/desk\?contribution=[^"]+)"/.exec(await mail('contribution-flagged')) ?? []
  expect(await mail('published')).toContain(`/pages/news/contributions/${contribution.id}"`)
  const door = await (await fetch(here(link))).text()
  expect(door).toContain(`name="contribution" value="${contribution.id}"`)
  const signedIn = await fetch(`${world.url}/desk/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ key, contribution: contribution.id }),
  })
  expect(signedIn.headers.get('location')).toBe(`/contribution-collection/desk?contribution=${contribution.id}`)
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const shown = await (await fetch(here(link), { headers: { cookie } })).text()
  expect(shown.match(/<h2 id="h\d+">[^<]+/g)).toEqual([`<h2 id="h${contribution.id}">At the desk`])
})
