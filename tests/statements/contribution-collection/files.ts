import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify, isDeepStrictEqual as same } from 'node:util'
import { exifOf, film, picture, tagged } from '../../../services/contribution-collection/src/media/testing/files.ts'
import { type Answer, type Node, until } from '../statements.ts'
import { at, isRefused, type People, type Person, published } from './people.ts'

const run = promisify(execFile)
export const near = (one: unknown, other: number, by = 0.01) => Math.abs(Number(one) - other) < by
const rate = ['-f', 'lavfi', '-i', 'testsrc=duration=3:size=160x120:rate=5']
const tone = ['-f', 'lavfi', '-i', 'sine=duration=5']

interface Sent {
  readonly id: string
  readonly content: Buffer
}
export type Files = Readonly<Record<'photo.jpg' | 'clip.mp4' | 'sound.mp3', Sent>>

const uploaded = ({ call }: Node, { token }: Person, body: RequestInit['body'], type?: string) =>
  call(`${at}/media`, {
    ...{ method: 'POST', body },
    headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
  })

export async function media(node: Node, { bob, eve }: People): Promise<Files> {
  const { call, holds, instance } = node
  const plain = await picture(800, 600).jpeg().toBuffer()
  const gps = ['-GPSLatitude=51.5007', '-GPSLatitudeRef=N', '-GPSLongitude=0.1246', '-GPSLongitudeRef=W']
  const contents: Readonly<Record<string, readonly [kind: string, content: Buffer]>> = {
    'photo.jpg': ['image', await tagged(plain, 'a.jpg', [...gps, '-Artist=Bob', '-EXIF:SerialNumber=SN-7'])],
    'drawing.png': ['image', await picture(300, 200, 2).png().toBuffer()],
    'clip.mp4': ['video', await film('a.mp4', [...rate, '-metadata', 'location=+48.8584+002.2945/'])],
    'clip.webm': ['video', await film('a.webm', rate)],
    'sound.mp3': ['audio', await film('a.mp3', tone)],
    'sound.wav': ['audio', await film('a.wav', tone)],
  }
  const octets = 'application/octet-stream'
  const sent: Record<string, Sent & { readonly answer: Answer }> = {}
  for (const [name, [kind, content]] of Object.entries(contents)) {
    const answer = await uploaded(node, bob, content, octets)
    const isRight = answer.status === 200 && answer.json?.id && answer.json.type === kind
    holds(`POST /media takes ${name}, which is ${kind} by its bytes`, isRight, answer.text)
    sent[name] = { id: answer.json?.id, content, answer }
  }
  const { json: photo } = (sent['photo.jpg'] as (typeof sent)[string]).answer
  const { latitude, longitude } = photo?.place?.latLong ?? {}
  holds('the place of a picture is read from it', near(latitude, 51.5007) && near(longitude, -0.1246), photo)
  const [, png] = contents['drawing.png'] as readonly [string, Buffer]
  const form = new FormData()
  form.append('file', new File([png], 'a.png'))
  const forms: Record<string, readonly [body: RequestInit['body'], type?: string]> = {
    'under its own type': [png, 'image/png'],
    'under any type': [png, 'application/json'],
    'in Base64 as a JSON string': [JSON.stringify(png.toString('base64')), 'application/json'],
    'in Base64 as text': [png.toString('base64'), 'text/plain'],
    'in a form': [form],
  }
  for (const [how, [body, type]] of Object.entries(forms)) {
    const answer = await uploaded(node, bob, body, type)
    const url = `/contribution-collection/media/dev/${answer.json?.id}/original`
    const original = await call(url, { headers: { authorization: `Bearer ${bob.token}` } })
    holds(`a file may come ${how}`, original.status === 200 && original.bytes.equals(png), answer.text)
  }
  const refused: Record<string, Buffer> = {
    'a page': Buffer.from('<html><script>alert(1)</script></html>'),
    'a drawing with scripts': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'a program': Buffer.from('\x7fELF\x02\x01\x01', 'latin1'),
    nothing: Buffer.alloc(0),
  }
  for (const [what, body] of Object.entries(refused))
    holds(`POST /media of ${what} is 400`, isRefused(await uploaded(node, bob, body, octets), 400))
  const anonymous = await call(`${at}/media`, { method: 'POST', body: png, headers: { 'content-type': octets } })
  holds('POST /media without a token is 401', isRefused(anonymous, 401), anonymous.text)
  await instance.app.settle()
  const state = async (name: string, by = bob) => by.get(`/media/${sent[name]?.id}`)
  const clip = (await state('clip.mp4')).json
  holds('a film has its duration once it was read', near(clip?.duration, 3, 0.3), clip)
  holds('the place of a film is read from it', near(clip?.place?.latLong?.latitude, 48.8584), clip)
  holds('a recording has its duration', near((await state('sound.mp3')).json?.duration, 5, 0.3))
  const statuses = await Promise.all(Object.keys(contents).map(async (name) => (await state(name)).json?.status))
  holds('copies of every file are ready', same(new Set(statuses), new Set(['ready'])), statuses)
  holds('GET /media/{id} is for who sent it', isRefused(await state('clip.mp4', eve), 404))
  return sent as unknown as Files
}

export const placed = { name: 'London', country: 'GB', latLong: { latitude: 51.5007, longitude: -0.1246 } }

/** Files of a zip by name, as extracted by unzip. */
async function unzipped(zip: Buffer): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-statements-'))
  try {
    const path = join(folder, 'export.zip')
    await writeFile(path, zip)
    const names = (await run('unzip', ['-Z1', path])).stdout.trim().split('\n')
    await run('unzip', ['-q', path, '-d', folder])
    return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export async function exported({ call, holds }: Node, { ada, bob, eve }: People, files: Files): Promise<void> {
  const { json: assignment } = await ada.post('/assignments', { name: 'Exported' })
  const to = { assignment: { id: assignment.id } }
  const usages = (names: readonly (keyof Files)[]) => names.map((name) => ({ media: { id: files[name].id } }))
  const names = ['photo.jpg', 'clip.mp4', 'sound.mp3'] as const
  const first = await published(bob, ada, { ...to, headline: 'Water', place: placed, mediaUsages: usages(names) })
  const second = await published(eve, ada, { ...to, headline: 'Only words', body: 'Zürich' })
  const of = `assignment=${assignment.id}`
  const { json: summary } = await ada.post(`/export-summary?${of}`)
  const size = names.reduce((sum, name) => sum + files[name].content.length, 0)
  holds('POST /export-summary counts contributions', summary?.contributions === 2, summary)
  holds('it counts media files', summary?.media === 3, summary)
  holds('it has the size of media files', summary?.totalMediaSize === size, summary)
  holds('it has an approximate size in words', /^[\d.]+ kB$/.test(summary?.estimatedSize ?? ''), summary)
  const { json: filtered } = await ada.post(`/export-summary?${of}&q=words`)
  holds('it keeps to the filter', filtered?.contributions === 1 && filtered.media === 0, filtered)

  const written = async (query: string) => {
    const started = await ada.post(`/export?${of}&${query}`)
    const done = await until(async () => {
      const { json } = await ada.get(`/exports/${started.json?.id}`)
      return json?.finished && json
    })
    const zip = done?.downloadUrl ? await call(done.downloadUrl) : undefined
    return { started, done, zip, content: zip?.status === 200 ? await unzipped(zip.bytes) : new Map<string, Buffer>() }
  }
  const whole = await written('format=original&combined=true&individual=true&json=true')
  const { started, done, zip, content } = whole
  holds(
    'POST /export is 202 with an export job',
    started.status === 202 && started.json?.owner === ada.id,
    started.text,
  )
  holds('an export job has an id and its start', started.json?.id && Date.parse(started.json.started) > 0, started.text)
  holds('it is polled until it is finished', done?.progress === 1 && Date.parse(done.finished) > 0, done)
  holds('a finished one is downloaded as a zip', zip?.bytes.toString('latin1', 0, 2) === 'PK', zip?.status)
  const [one, two] = [`contributions/water-${first.id}`, `contributions/only-words-${second.id}`]
  const fileAt = (nth: number, name: keyof Files) => `${one}/0${nth}-${files[name].id}.${name.split('.')[1]}`
  const inZip = [fileAt(1, 'photo.jpg'), fileAt(2, 'clip.mp4'), fileAt(3, 'sound.mp3')]
  for (const [nth, name] of names.entries())
    holds(`format=original has ${name} as it was sent`, content.get(inZip[nth] ?? '')?.equals(files[name].content))
  const text = String(content.get('contributions.txt'))
  holds('combined is one text file', /Only words/.test(text) && /Zürich/.test(text) && /Water/.test(text), text)
  const own = String(content.get(`${two}/contribution.txt`))
  holds('individual is a text file per contribution', own.includes('Zürich') && content.has(`${one}/contribution.txt`))
  const raw = JSON.parse(String(content.get(`${two}/contribution.json`) ?? '{}'))
  holds('json is raw JSON per contribution', raw.id === second.id && raw.body === 'Zürich', raw)
  const none = await written('format=none&combined=true')
  holds('format=none has no files', same([...none.content.keys()], ['contributions.txt']), [...none.content.keys()])
  const fullsize = await written('format=fullsize')
  const copies = [...fullsize.content.keys()]
  const photo = fullsize.content.get(inZip[0] ?? '')
  const exif = photo && JSON.stringify(await exifOf(photo, 'a.jpg'))
  holds('format=fullsize has copies without what the camera wrote', exif && !/SN-7|GPS/.test(exif), copies)
  holds('and no texts', !copies.some((name) => name.endsWith('.txt')) && copies.length === 3, copies)
  const usual = await written('')
  holds('format is fullsize if nothing is said', same([...usual.content.keys()], copies), [...usual.content.keys()])
  for (const query of ['format=tagged', 'tagged=true']) {
    const tag = (await written(query)).content.get(inZip[0] ?? '')
    const tags = tag ? await exifOf(tag, 'a.jpg') : {}
    holds(
      `${query} writes headline and place into pictures`,
      tags['XMP:Headline'] === 'Water' && tags['XMP:Location'] === 'London',
      tags,
    )
  }
  const words = await written('q=words&combined=true&format=none')
  holds('an export keeps to the filter', !/Water/.test(String(words.content.get('contributions.txt'))), words.done)
  for (const query of ['format=zzz', 'combined=perhaps', 'format=none', 'country=XYZ']) {
    const refused = await ada.post(`/export?${query}`)
    holds(`POST /export?${query} is 400 by its field`, isRefused(refused, 400, query.split('=')[0]), refused.text)
  }
  holds('GET /exports/{id} of none is 404', isRefused(await ada.get('/exports/99999'), 404))
  holds('that of somebody else is 404', isRefused(await eve.get(`/exports/${done?.id}`), 404))
  holds('POST /export without a token is 401', isRefused(await call(`${at}/export`, { method: 'POST' }), 401))
  holds('its address is not to be guessed', (await call(done?.downloadUrl.split('?')[0])).status === 403)
}
