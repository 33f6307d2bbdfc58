import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { client } from '@icosa/client'
import { startTestApp, type TestApp } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignments, contributions, exportsOf } from '../contract.ts'
import { contributionCollection } from '../index.ts'
import { exifOf, film, picture, tagged, test2seconds } from '../media/testing/files.ts'
import { serviceName } from '../names.ts'

const run = promisify(execFile)
let app: TestApp
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-exports-'))
  await chmod(folder, 0o711)
  app = await startTestApp(contributionCollection({ state: join(folder, 'state'), runtime: 'bwrap' }))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

async function newsroom(tenant: string) {
  const headers = { authorization: `Bearer ${await app.key(tenant)}` }
  const baseUrl = `${app.url}/${serviceName}`
  const calls = client({ ...assignments, ...contributions, ...exportsOf }, { baseUrl, headers })
  const { body: assignment } = await calls.createAssignment({ body: { name: 'Floods' } })
  return {
    calls,
    async send(content: Uint8Array): Promise<string> {
      const response = await fetch(`${baseUrl}/media`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: content as never,
      })
      return ((await response.json()) as { id: string }).id
    },
    async contribute(headline: string, media: readonly string[]): Promise<string> {
      const { body } = await calls.createContribution({
        body: {
          assignment: { id: assignment.id },
          headline,
          body: 'Water everywhere.',
          attribution: 'Zoë Ångström',
          place: { name: 'Zürich', country: 'CH', latLong: { latitude: 47.3712, longitude: 8.5423 } },
          mediaUsages: media.map((id) => ({ media: { id } })),
        },
      })
      await calls.moderateContribution({ params: { id: body.id }, body: { action: { id: 'approve' } } })
      return body.id
    },
    async export(query: NonNullable<Parameters<typeof calls.createExport>[0]['query']>) {
      const { status, body } = await calls.createExport({ query })
      expect(status).toBe(202)
      await app.jobs.drain()
      const { body: finished } = await calls.getExport({ params: { id: body.id } })
      expect(finished).toMatchObject({ step: 'done', progress: 1, finished: expect.any(String) })
      const { downloadUrl = '' } = finished
      return { ...finished, url: baseUrl + downloadUrl.slice(downloadUrl.indexOf('/exports/')) }
    },
  }
}

/** Files of a zip by name, after `unzip -t`. */
async function unzipped(url: string): Promise<Map<string, Buffer>> {
  const path = join(folder, 'export.zip')
  await writeFile(path, Buffer.from(await (await fetch(url)).arrayBuffer()))
  expect((await run('unzip', ['-t', path])).stdout).toContain('No errors detected')
  const names = (await run('unzip', ['-Z1', path])).stdout.trim().split('\n')
  const to = await mkdtemp(join(folder, 'unzipped-'))
  await run('unzip', ['-q', path, '-d', to])
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(to, name))] as const)))
}

test('exports contain every format and text: tagged pictures have captions, originals are unchanged', async () => {
  const { calls, send, contribute, export: write } = await newsroom('acme')
  const photo = await tagged(await picture(800, 600).jpeg().toBuffer(), 'a.jpg', ['-EXIF:SerialNumber=SN-9'])
  const clip = await film('a.mp4', test2seconds)
  const [photoId, clipId] = [await send(photo), await send(clip)]
  const first = await contribute('Water in the <old> town', [photoId, clipId])
  const second = await contribute('Nothing but words', [])
  await app.jobs.drain()

  const { body: summary } = await calls.summarizeExport({ query: {} })
  expect(summary).toMatchObject({ contributions: 2, media: 2, totalMediaSize: photo.length + clip.length })

  const original = await unzipped(
    (await write({ format: 'original', combined: true, individual: true, json: true })).url,
  )
  const folders = [`contributions/water-in-the-old-town-${first}`, `contributions/nothing-but-words-${second}`]
  const texts = folders.flatMap((name) => [`${name}/contribution.txt`, `${name}/contribution.json`])
  const media = [`${folders[0]}/01-${photoId}.jpg`, `${folders[0]}/02-${clipId}.mp4`]
  expect([...original.keys()].sort()).toEqual([...texts, ...media, 'contributions.txt'].sort())
  expect(original.get(media[0] as string)?.equals(photo)).toBe(true)
  expect(original.get(media[1] as string)?.equals(clip)).toBe(true)
  expect(String(original.get('contributions.txt'))).toMatch(/Nothing but words[\s\S]+Zürich, CH, 47.3712, 8.5423/)
  expect(JSON.parse(String(original.get(`${folders[0]}/contribution.json`)))).toMatchObject({ id: first })
  const bytes = media.reduce((sum, name) => sum + (original.get(name)?.length ?? 0), 0)
  expect(bytes).toBe(summary.totalMediaSize)

  const full = await unzipped((await write({ format: 'fullsize' })).url)
  expect([...full.keys()].sort()).toEqual(media)
  expect(await exifOf(full.get(media[0] as string) as Buffer, 'a.jpg')).not.toHaveProperty('EXIF:SerialNumber')

  for (const query of [{ format: 'tagged' }, { tagged: true }] as const) {
    const captioned = await unzipped((await write(query)).url)
    expect([...captioned.keys()].sort()).toEqual([...media, `${folders[0]}/02-${clipId}.xmp`].sort())
    const caption = {
      'XMP:Headline': 'Water in the <old> town',
      'XMP:Credit': 'Zoë Ångström',
      'XMP:Location': 'Zürich',
    }
    expect(await exifOf(captioned.get(media[0] as string) as Buffer, 'a.jpg')).toMatchObject({
      ...caption,
      'IPTC:Headline': 'Water in the <old> town',
      'IPTC:Credit': 'Zoë Ångström',
      'IPTC:Sub-location': 'Zürich',
      'File:ImageWidth': 800,
    })
    expect(await exifOf(captioned.get(`${folders[0]}/02-${clipId}.xmp`) as Buffer, 'a.xmp')).toMatchObject(caption)
  }

  const words = await unzipped((await write({ format: 'none', combined: true, q: 'words' })).url)
  expect([...words.keys()]).toEqual(['contributions.txt'])
  for (const query of [{ format: 'none' }, { tagged: true, format: 'original' }] as const)
    await expect(calls.createExport({ query })).rejects.toMatchObject({ status: 400 })
}, 300_000)

test('export URLs are signed, expire and support ranges, and exports are deleted after a week', async () => {
  const { calls, send, contribute, export: write } = await newsroom('bert')
  const media = await send(await picture(300, 200).png().toBuffer())
  const contribution = await contribute('Snow', [media])
  await app.jobs.drain()
  const finished = await write({ format: 'original' })
  const whole = Buffer.from(await (await fetch(finished.url)).arrayBuffer())
  const part = await fetch(finished.url, { headers: { range: 'bytes=10-99' } })
  expect([part.status, Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 100))]).toEqual([206, true])
  const changed = [
    finished.url.replace(/\/bert\//, '/acme/'),
    finished.url.replace(/expires=\d/, 'expires=9'),
    finished.url.split('?')[0],
  ]
  for (const url of changed) expect((await fetch(url as string)).status).toBe(403)
  for (const method of ['PUT', 'POST', 'DELETE'])
    expect(
      (await fetch(finished.url, { method, ...(method !== 'DELETE' && { body: 'x' }) })).status,
      method,
    ).toBeGreaterThanOrEqual(400)
  const other = await newsroom('carol')
  const otherExport = await other.export({ format: 'none', combined: true })
  const swapped = `${finished.url.split('?')[0]}?${otherExport.url.split('?')[1]}`
  expect((await fetch(swapped)).status, 'signed for another file').toBe(403)
  expect((await fetch(`${finished.url}&expires=9999999999`)).status, 'two expiries').toBe(403)
  await expect(other.calls.getExport({ params: { id: finished.id } })).rejects.toMatchObject({ status: 404 })

  await app.clock.advance(3_700_000)
  expect((await fetch(finished.url)).status).toBe(403)
  const { body: current } = await calls.getExport({ params: { id: finished.id } })
  expect(current.downloadUrl).not.toBe(finished.downloadUrl)

  const keys = async () => (await app.platform.blobsOf(serviceName, 'bert').list('', { limit: 100 })).items.length
  expect(await keys()).toBeGreaterThan(0)
  await calls.deleteContribution({ params: { id: contribution } })
  await app.jobs.drain()
  expect(await keys(), 'the file, its renditions and the zip').toBe(0)
  await expect(calls.getExport({ params: { id: finished.id } })).rejects.toMatchObject({ status: 404 })

  const empty = await write({ format: 'none', combined: true })
  expect([...(await unzipped(empty.url)).keys()]).toEqual(['contributions.txt'])
  expect(await keys()).toBeGreaterThan(0)
  await app.clock.advance(8 * 86_400_000)
  await app.jobs.drain()
  expect(await keys()).toBe(0)
}, 120_000)
