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

/** Maps a public URL to the test node. */
const local = (address: string) =>
  world.url + address.replace(/^.*?\/contribution-collection/, '').replaceAll('&amp;', '&')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a feed has a signed URL for its filter that needs no header, and links to web pages', async () => {
  const { contribution, params } = await approved(desk, 'Hail & thunder', 'Hail')
  await approved(desk, 'Another thing', 'Else')
  const response = await fetch(`${world.url}/contributions?format=rss&q=thunder`, { headers: bearer(key) })
  const [, self = ''] = /<atom:link href="([^"]+)" rel="self"/.exec(await response.text()) ?? []
  const feed = await fetch(local(self))
  expect([feed.status, feed.headers.get('content-type')]).toEqual([200, expect.stringContaining('application/rss+xml')])
  const text = await feed.text()
  expect(text.match(/<title>[^<]+/g)).toEqual(['<title>Contributions', '<title>Hail &amp; thunder'])
  expect(/<atom:link href="([^"]+)"/.exec(text)?.[1]).toBe(self)
  expect((await fetch(local(self).replace('thunder', 'thing'))).status).toBe(403)
  expect((await fetch(`${world.url}/feeds/news?q=thunder`)).status).toBe(403)

  const [, link = ''] = /<item>.*?<link>([^<]+)/.exec(text) ?? []
  expect(link).toBe((await desk.getContribution({ params })).body.webUrl)
  const page = await fetch(local(link))
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<h1>Hail &amp; thunder</h1>')])
  await desk.moderateContribution({ params, body: { action: { id: 'reject' } } })
  expect((await fetch(local(link))).status).toBe(404)
  expect(await (await fetch(local(self))).text()).not.toContain(`contributions/${contribution.id}`)
  expect((await desk.getContribution({ params })).body.webUrl).toBeUndefined()
})

test('the enclosure of a feed item is the largest rendition of the picture', async () => {
  const content = await picture(1_600, 1_200).jpeg().toBuffer()
  const { body: file } = await desk.createMedia({ body: { mediaType: 'image/jpeg', content } as never })
  const { body: assignment } = await desk.createAssignment({ body: { name: 'Pictures' } })
  const { body: contribution } = await desk.createContribution({
    body: { assignment: { id: assignment.id }, mediaUsages: [{ media: { id: file.id } }] },
  })
  await desk.moderateContribution({ params: { id: contribution.id }, body: { action: { id: 'approve' } } })
  await world.app.jobs.drain()
  const rss = await fetch(`${world.url}/contributions?format=rss&ids=${contribution.id}`, { headers: bearer(key) })
  const [, url = ''] = /<enclosure url="([^"]+)"/.exec(await rss.text()) ?? []
  const { artifacts } = (await desk.getContribution({ params: { id: contribution.id } })).body.mediaUsages[0] as {
    artifacts: { url: string; contentLength?: number }[]
  }
  expect(url).toBe(artifacts.toSorted((a, b) => (b.contentLength ?? 0) - (a.contentLength ?? 0))[0]?.url)
})

test('a publishable key reads only public content, from any origin', async () => {
  const publicKey = await world.app.key('news', ['contribution-collection:describePublicAccess'])
  const { contribution } = await approved(desk, 'Public thing', 'Public')
  const { body: pending } = await desk.createContribution({
    body: { assignment: { id: contribution.assignment.id }, headline: 'Pending thing' },
  })
  const get = (path: string) =>
    fetch(world.url + path, { headers: { ...bearer(publicKey), origin: 'https://site.example' } })
  const list = await get('/contributions?q=thing&state=any&user=')
  expect(list.headers.get('access-control-allow-origin')).toBe('*')
  const contributions = (await (await get('/contributions?q=thing&state=any')).json()) as Record<string, unknown>[]
  expect(contributions.map(({ headline }) => headline)).not.toContain('Pending thing')
  expect(contributions.map(({ headline }) => headline)).toContain('Public thing')
  expect(contributions[0]).not.toHaveProperty('via')
  expect((await get(`/contributions/${pending.id}`)).status).toBe(404)
  expect((await get('/public-access')).status).toBe(200)
  expect((await get('/users')).status).toBe(403)
  const posted = await fetch(`${world.url}/contributions`, {
    method: 'POST',
    headers: { ...bearer(publicKey), 'content-type': 'application/json' },
    body: JSON.stringify({ assignment: { id: contribution.assignment.id }, headline: 'No' }),
  })
  expect(posted.status).toBe(403)
  const preflight = await fetch(`${world.url}/1/contributions`, { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'GET, HEAD'])
  expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization')
})

test('mails to subscribers link to the desk, mails to authors to the contribution’s page', async () => {
  const { contribution, params } = await approved(desk, 'At the desk', 'Desk')
  const mail = async (message: string) => (await desk.previewNotification({ params, query: { message } })).body.html
  const [, link = ''] = /href="([^"]*\/desk\?contribution=[^"]+)"/.exec(await mail('contribution-flagged')) ?? []
  expect(await mail('published')).toContain(`/pages/news/contributions/${contribution.id}"`)
  const signIn = await (await fetch(local(link))).text()
  expect(signIn).toContain(`name="contribution" value="${contribution.id}"`)
  const signedIn = await fetch(`${world.url}/desk/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ key, contribution: contribution.id }),
  })
  expect(signedIn.headers.get('location')).toBe(`/contribution-collection/desk?contribution=${contribution.id}`)
  const cookie = (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? ''
  const page = await (await fetch(local(link), { headers: { cookie } })).text()
  expect(page.match(/<h2 id="h\d+">[^<]+/g)).toEqual([`<h2 id="h${contribution.id}">At the desk`])
})
