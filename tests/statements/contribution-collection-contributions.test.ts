import { isDeepStrictEqual as same } from 'node:util'
import { exifOf } from '../../services/contribution-collection/src/media/testing/files.ts'
import { exported, type Files, media, near, placed } from './contribution-collection/files.ts'
import {
  at,
  idsIn,
  isRefused,
  type Json,
  type People,
  type Person,
  people,
  published,
} from './contribution-collection/people.ts'
import { type Node, statementsOf } from './statements.ts'

statementsOf('S2 contributions', ['contribution-collection'], async (node) => {
  const all = await people(node)
  const files = await media(node, all)
  const london = await contributions(node, all, files)
  await moderation(node, all, london)
  await reactions(node, all, london)
  await exported(node, all, files)
  await deletion(node, all, london)
})

async function contributions(node: Node, { ada, bob, eve, key }: People, files: Files): Promise<Json> {
  const { call, holds } = node
  const { json: assignment } = await ada.post('/assignments', { name: 'Snow', allowsAnonymousContributions: true })
  const to = { assignment: { id: assignment.id } }
  const texts = { headline: 'Snöw falls in London', body: 'It is cold.', attribution: 'Bobby' }
  const mediaUsages = [{ media: { id: files['photo.jpg'].id } }, { media: { id: files['clip.mp4'].id } }]
  const created = await bob.post('/contributions', { ...to, ...texts, place: placed, mediaUsages })
  const london = created.json
  holds('POST /contributions is 200', created.status === 200 && london?.id, created.text)
  for (const [field, value] of Object.entries(texts))
    holds(`a contribution keeps its ${field}`, london?.[field] === value, london?.[field])
  holds('a contribution has its time of creation', Date.parse(london?.created) > 0, london?.created)
  holds('a contribution shows its assignment', london?.assignment?.id === assignment.id, london?.assignment)
  holds('a contribution has urlWords of its headline', london?.urlWords === `snow-falls-in-london-${london?.id}`)
  holds('a contribution begins without a moderation', same(london?.moderationHistory, []), london)
  holds('a contribution begins without likes', london?.likeCount === 0, london)
  const { geohash, ...place } = london?.place ?? {}
  holds('a place is kept', same(place, placed), london?.place)
  holds('a place has its geohash', /^gcpuv/.test(geohash ?? ''), geohash)
  const media = london?.mediaUsages?.map((usage: Json) => [usage.media.id, usage.media.type])
  const expected = [
    [files['photo.jpg'].id, 'image'],
    [files['clip.mp4'].id, 'video'],
  ]
  holds('a contribution shows its files in order', same(media, expected), london?.mediaUsages)
  holds('a film in it has its duration', near(london?.mediaUsages?.[1]?.media.duration, 3, 0.3), london?.mediaUsages)
  const read = { assignment, mediaUsages: london?.mediaUsages, headline: 'Sent back' }
  const again = await bob.post('/contributions', read)
  holds('assignments and files may be sent as they were read', again.json?.mediaUsages?.length === 2, again.text)
  const elsewhere = { name: 'Somewhere', country: 'US', osm: { osmId: 123, osmType: 'N' }, google: 'ChIJabc' }
  const { json: known } = await bob.post('/contributions', { ...to, headline: 'x', place: elsewhere })
  holds('a place keeps its names elsewhere', same(known?.place, elsewhere), known?.place)

  const { json: closed } = await ada.post('/assignments', { name: 'Closed', ends: '2020-01-01T00:00:00Z' })
  const { json: early } = await ada.post('/assignments', { name: 'Early', starts: '2098-01-01T00:00:00Z' })
  const { json: pictures } = await ada.post('/assignments', { name: 'Pictures', mediaRequired: true })
  const { json: named } = await ada.post('/assignments', { name: 'Named' })
  const wrong: Record<string, readonly [field: string, body: object]> = {
    'nothing in it': ['headline', to],
    'no assignment': ['assignment', { headline: 'x' }],
    'an assignment that is not there': ['assignment/id', { assignment: { id: '9999999' }, headline: 'x' }],
    'an assignment that is closed': ['assignment', { assignment: { id: closed.id }, headline: 'x' }],
    'an assignment that has not begun': ['assignment', { assignment: { id: early.id }, headline: 'x' }],
    'no file where one is required': ['mediaUsages', { assignment: { id: pictures.id }, headline: 'x' }],
    'no name where one is required': ['attribution', { assignment: { id: named.id }, headline: 'x', attribution: '' }],
    'a latitude of 91': ['place/latLong/latitude', { ...to, place: { latLong: { latitude: 91, longitude: 0 } } }],
    'a country of three letters': ['place/country', { ...to, headline: 'x', place: { country: 'XYZ' } }],
    'a geohash that is none': ['place/geohash', { ...to, headline: 'x', place: { geohash: 'aaa!' } }],
    'a file that is not there': ['mediaUsages', { ...to, headline: 'x', mediaUsages: [{ media: { id: '999999' } }] }],
    'the id of one': ['id', { ...to, headline: 'x', id: london.id }],
    'a date, from others than the tenant': ['created', { ...to, headline: 'x', created: '2020-01-01T00:00:00Z' }],
    nonsense: ['nonsense', { ...to, headline: 'x', nonsense: 1 }],
  }
  for (const [what, [field, body]] of Object.entries(wrong)) {
    const refused = await bob.post('/contributions', body)
    holds(`a contribution with ${what} is 400 by its field`, isRefused(refused, 400, field), refused.text)
  }
  const long = await bob.post('/contributions', { ...to, headline: 'h'.repeat(501) })
  holds('a headline has at most 500 characters', isRefused(long, 400, 'headline'), long.text)
  const foreign = await eve.post('/contributions', { ...to, headline: 'x', mediaUsages })
  holds('files that somebody else sent are 403', isRefused(foreign, 403), foreign.text)
  const anonymous = await call(`${at}/contributions`, { method: 'POST', json: { ...to, headline: 'x' } })
  holds('POST /contributions without a token is 401', isRefused(anonymous, 401), anonymous.text)
  const moved = {
    ...{ ...to, headline: 'Moved', created: '2020-01-01T10:00:00.000Z', via: { authority: { user: { id: eve.id } } } },
    moderationHistory: [{ date: '2020-01-03T00:00:00.000Z', action: { id: 'approve' }, notes: 'Before' }],
  }
  const { json: imported } = await key.post('/contributions', moved)
  const isMoved = imported?.created === moved.created && imported.via?.authority.user.id === eve.id
  holds('the tenant moves contributions with their date and author', isMoved, imported)
  holds('and with their history', imported?.moderationHistory?.[0]?.notes === 'Before', imported?.moderationHistory)
  return london
}

async function moderation({ call, holds }: Node, { ada, bob, eve }: People, london: Json): Promise<void> {
  const path = `/contributions/${london.id}`
  const moderate = (by: Person, action: object, to = path) => by.post(`${to}/moderate`, action)
  const approve = { action: { id: 'approve' } }
  holds('what is pending is 404 for others', isRefused(await eve.get(path), 404))
  holds('what is pending is there for its author', (await bob.get(path)).json?.id === london.id)
  const mine = (await ada.get(path)).json
  holds('and for the owner of the assignment, with its author', mine?.via?.authority.user.id === bob.id, mine?.via)
  holds('moderators see the address it came from', typeof mine?.via?.ipAddress === 'string', mine?.via)
  const anonymous = await call(`${at}${path}/moderate`, { method: 'POST', json: approve })
  holds('moderating without a token is 401', isRefused(anonymous, 401), anonymous.text)
  holds('moderating by its author is 403', isRefused(await moderate(bob, approve), 403))
  holds('moderating what is not there is 404', isRefused(await moderate(ada, approve, '/contributions/9999999'), 404))
  holds('an unknown action is 400', isRefused(await moderate(ada, { action: { id: 'nonsense' } }), 400, 'action/id'))
  holds('no action is 400', isRefused(await moderate(ada, {}), 400, 'action'))
  const label = await moderate(ada, { action: { id: 'approve', label: 'Reject' } })
  holds('a label that is not that of the action is 400', isRefused(label, 400, 'action/label'), label.text)
  const action = {
    id: 'approve',
    label: 'Approve',
    resultingState: { id: 'approved', label: 'Approved', public: true },
  }
  const done = await moderate(ada, { action, notes: 'Nice one' })
  holds('moderating is 200 and answers the state', done.status === 200 && done.json === 'approved', done.text)
  const history = (await ada.get(path)).json?.moderationHistory
  const [{ date, ...item }] = history ?? [{}]
  holds('the history has the action, its state and notes', same(item, { action, notes: 'Nice one' }), history)
  holds('the history has the date', Date.parse(date) > 0, history)
  const shown = await eve.get(path)
  holds('what is approved is there for others', shown.status === 200 && shown.json?.id === london.id, shown.text)
  holds('who sent it, and notes, are for moderators', !('via' in shown.json) && !shown.text.includes('Nice one'))
  const page = await call(shown.json?.webUrl)
  holds('what is public has a page for people', page.text.includes('Snöw falls in London'), page.status)

  const artifacts: Json[] = shown.json?.mediaUsages?.flatMap((usage: Json) => usage.artifacts) ?? []
  const labels = artifacts.map((artifact) => artifact.label)
  const expected = ['thumbnail', 'small', 'medium', 'large', 'fullsize', 'thumbnail', 'poster', 'fullsize']
  holds('files have copies under the labels of /artifact-formats', same(labels, expected), labels)
  const isWhole = ({ contentType, width, height, url }: Json) => contentType && width > 0 && height > 0 && url
  holds('a copy has its type, size and address', artifacts.every(isWhole), artifacts)
  const copies = await Promise.all(artifacts.map(({ url }) => call(url)))
  const isServed = copies.every(
    ({ status, bytes }, nth) => status === 200 && bytes.length === artifacts[nth]?.contentLength,
  )
  holds(
    'copies of what is public are there without a token',
    artifacts.length > 0 && isServed,
    copies.map((copy) => copy.status),
  )
  const exif = JSON.stringify(await exifOf(copies[4]?.bytes ?? Buffer.alloc(0), 'a.jpg'))
  holds('copies have nothing of what the camera wrote', !/GPS|Bob|SN-7/.test(exif) && exif.includes('ImageWidth'), exif)
  const original = await call(artifacts[0]?.url.replace(/[^/]*$/, 'original'))
  holds('originals are not public', original.status === 404, original.status)

  const trans = (await bob.post('/contributions', { assignment: { id: london.assignment.id }, headline: 'To and fro' }))
    .json
  const states: readonly (readonly [action: string, state: string])[] = [
    ['escalate', 'escalated'],
    ['approve', 'approved'],
    ['reject', 'rejected'],
    ['reset', 'pending'],
    ['approve', 'approved'],
  ]
  for (const [id, state] of states) {
    const { json } = await moderate(ada, { action: { id } }, `/contributions/${trans.id}`)
    const { status } = await eve.get(`/contributions/${trans.id}`)
    const isSeen = status === (state === 'approved' ? 200 : 404)
    holds(`after ${id} it is ${state}, and ${state === 'approved' ? '' : 'not '}public`, json === state && isSeen, json)
    const inState = idsIn((await ada.get(`/contributions?state=${state}&ids=${trans.id}`)).json)
    holds(`state=${state} finds it for moderators`, same(inState, [trans.id]), inState)
  }
  const all = (await ada.get(`/contributions/${trans.id}`)).json?.moderationHistory
  holds(
    'the history has every decision in order',
    same(
      all?.map((one: Json) => one.action.id),
      states.map(([id]) => id),
    ),
    all,
  )
  const { json: embargoed } = await ada.post('/assignments', { name: 'Embargo', embargo: '2098-01-01T00:00:00Z' })
  const secret = await published(bob, ada, { assignment: { id: embargoed.id }, headline: 'Secret' })
  holds('what is under embargo is not public', isRefused(await eve.get(`/contributions/${secret.id}`), 404))
  const { json: delegated } = await ada.post('/assignments', { name: 'Delegated', moderator: eve.id })
  const { json: decided } = await bob.post('/contributions', { assignment: { id: delegated.id }, headline: 'By Eve' })
  const byEve = await moderate(eve, approve, `/contributions/${decided.id}`)
  holds('the moderator of an assignment moderates', byEve.json === 'approved', byEve.text)
}

async function reactions({ call, holds }: Node, { ada, bob, eve }: People, london: Json): Promise<void> {
  const path = `/contributions/${london.id}`
  const like = await eve.post(`${path}/like`)
  holds('POST like is 200 with the like count', like.status === 200 && like.json === 1, like.text)
  holds('who likes it twice counts once', (await eve.post(`${path}/like`)).json === 1)
  holds('another like is counted', (await bob.post(`${path}/like`)).json === 2)
  const { json: likers } = await eve.get(`${path}/likes`)
  holds('GET likes lists the ids of users', same(likers?.toSorted(), [bob.id, eve.id].toSorted()), likers)
  holds('a contribution has its like count', (await eve.get(path)).json?.likeCount === 2)
  holds('likes of what is not there are 404', isRefused(await eve.get('/contributions/99999/likes'), 404))
  holds('liking what is not there is 404', isRefused(await eve.post('/contributions/99999/like'), 404))
  holds('liking without a token is 401', isRefused(await call(`${at}${path}/like`, { method: 'POST' }), 401))
  const flag = { type: 'spam', email: 'eve@people.example', notes: 'Not snow' }
  const flagged = await eve.post(`${path}/flag`, flag)
  const { id, date, ...rest } = flagged.json ?? {}
  holds('POST flag is 200 with the flag', flagged.status === 200 && same(rest, flag), flagged.text)
  holds('a flag has an id and a date', id && Date.parse(date) > 0, flagged.text)
  holds('a flag may be empty', (await eve.post(`${path}/flag`, {})).status === 200)
  holds('flagging what is not there is 404', isRefused(await eve.post('/contributions/99999/flag', flag), 404))
  const { json: flags } = await ada.get(`${path}/flags`)
  holds('flags are for moderators', flags?.length === 2 && flags.some((flag: Json) => flag.id === id), flags)
  holds('and not for others', isRefused(await eve.get(`${path}/flags`), 403))
}

async function deletion({ call, holds, instance }: Node, { ada, bob, eve }: People, london: Json): Promise<void> {
  const path = `/contributions/${london.id}`
  const { json: before } = await eve.get(path)
  holds('DELETE of a contribution by others is 403', isRefused(await eve.ask('DELETE', path), 403))
  holds('DELETE of none is 404', isRefused(await eve.ask('DELETE', '/contributions/99999'), 404))
  const deleted = await bob.ask('DELETE', path)
  holds('DELETE is 200 with the contribution', deleted.status === 200 && deleted.json?.id === london.id, deleted.text)
  for (const [who, one] of Object.entries({ its: bob, moderators: ada, others: eve }))
    holds(`it is gone at once, for ${who === 'its' ? 'its author' : who}`, isRefused(await one.get(path), 404))
  holds('it is not listed', same(idsIn((await ada.get(`/contributions?state=any&ids=${london.id}`)).json), []))
  await instance.app.settle()
  const copy = await call(before?.mediaUsages[0]?.artifacts[0]?.url)
  const { json: file } = await bob.get(`/media/${before?.mediaUsages[0]?.media.id}`)
  const isUsedElsewhere = file?.status === 'ready'
  holds('its files stay while another contribution has them', copy.status === 200 && isUsedElsewhere, copy.status)
  const { json: cover } = await ada.post('/assignments', {
    ...{ name: 'Covered', cover: { media: { id: before.mediaUsages[0].media.id } } },
  })
  const labels = cover?.cover?.artifacts.map((artifact: Json) => artifact.label)
  holds('an assignment shows its cover', same(labels, ['thumbnail', 'small', 'medium', 'large', 'fullsize']), cover)
}
