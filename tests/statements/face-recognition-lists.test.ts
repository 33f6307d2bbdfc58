import { isDeepStrictEqual as isSame } from 'node:util'
import {
  faceList,
  type Kind,
  kinds,
  largeFaceList,
  largePersonGroup,
} from '../../services/face-recognition/src/collections/names.ts'
import { accountOf } from '../../services/face-recognition/src/snapshots/account.ts'
import { groupPhoto } from '../../services/face-recognition/src/testing/photos.ts'
import {
  additionsHold,
  collectionsHold,
  facesOn,
  fieldsOf,
  isDescending,
  isEmpty,
  isId,
  operationOf,
  people,
  portrait,
  unknownId,
  valuesOf,
} from './faces.ts'
import { type Node, statementsOf } from './statements.ts'

statementsOf('F lists and snapshots', ['face-recognition'], async (node) => {
  for (const kind of [faceList, largeFaceList]) {
    await collectionsHold(node, kind)
    await lists(node, kind)
  }
  for (const kind of kinds) await snapshots(node, kind)
  await sharing(node)
})

async function lists(node: Node, { name, noun, path, param }: Kind): Promise<void> {
  const { holds } = node
  const { send, detect, faceIn, trained, refuses } = facesOn(node)
  const list = `/${path}/known`
  const faces = `${list}/persistedfaces`
  const isLarge = name === 'LargeFaceList'
  await send('PUT', list, { name: 'Known', recognitionModel: 'recognition_02' })
  await additionsHold(node, { place: `a ${noun}`, path: faces, crowd: groupPhoto(2) })
  const added: string[] = []
  for (const { name: called, known } of people)
    for (const photo of known.slice(0, 2)) {
      const query = new URLSearchParams({ userData: called })
      added.push((await send('POST', `${faces}?${query}`, photo)).json.persistedFaceId)
    }
  const [first = '', second = ''] = added
  const nowhere = await send('POST', `/${path}/nope/persistedfaces`, portrait)
  refuses(`a face for an unknown ${noun}`, nowhere, 404, `${name}NotFound`)
  if (isLarge) await largeList(node, list, added)
  else {
    const { json } = await send('GET', list)
    const shown = { persistedFaceId: first, userData: 'Person 0' }
    const isShown = json.persistedFaces.length === 8 && json.persistedFaces.some((face: object) => isSame(face, shown))
    holds('a face list shows its faces with their user data', isShown, json)
  }

  const probe = await faceIn(people[0]?.probe as Buffer)
  const similar = (body: object = {}) => send('POST', '/findsimilars', { faceId: probe, [param]: 'known', ...body })
  if (isLarge) {
    refuses('findsimilars in a large face list that was never trained', await similar(), 400, `${name}NotTrained`)
    const begun = await send('POST', `${list}/train`)
    holds(
      'POST train of a large face list is 202 without a body',
      begun.status === 202 && begun.text === '',
      begun.text,
    )
    const training = await trained(list)
    holds('the training of a large face list succeeds', training?.status === 'succeeded', training)
    const times = ['createdDateTime', 'lastActionDateTime', 'lastSuccessfulTrainingDateTime']
    holds(
      'and has its times',
      times.every((field) => Date.parse(training?.[field]) > 0),
      training,
    )
  }
  const own = await similar()
  const ids = valuesOf(own, 'persistedFaceId')
  holds(
    `findsimilars finds the same person's faces in a ${noun}`,
    isSame(ids.toSorted(), [first, second].toSorted()),
    own.text,
  )
  holds(
    `with persistedFaceId and confidence in a ${noun}`,
    isSame(fieldsOf(own.json[0]), ['confidence', 'persistedFaceId']),
    own.text,
  )
  const all = await similar({ mode: 'matchFace' })
  const confidences = all.json.map(({ confidence }: { confidence: number }) => confidence)
  holds(`matchFace ranks all faces of a ${noun}`, confidences.length === 8 && isDescending(confidences), all.text)
  const three = await similar({ mode: 'matchFace', maxNumOfCandidatesReturned: 3 })
  holds(`maxNumOfCandidatesReturned is kept in a ${noun}`, isSame(three.json, all.json.slice(0, 3)), three.text)
  refuses(`findsimilars in an unknown ${noun}`, await similar({ [param]: 'nope' }), 404, `${name}NotFound`)
  const both = await similar({ faceListId: 'known', largeFaceListId: 'known' })
  refuses('findsimilars in two lists', both, 400, 'BadArgument')
  const [{ faceId: other }] = (await detect(portrait, 'recognitionModel=recognition_01')).json
  refuses(
    `findsimilars with a face of another model in a ${noun}`,
    await similar({ faceId: other }),
    400,
    'BadArgument',
  )
  refuses(`findsimilars of an unknown face in a ${noun}`, await similar({ faceId: unknownId }), 404, 'FaceNotFound')

  holds(`DELETE of a face of a ${noun} is 200 without a body`, isEmpty(await send('DELETE', `${faces}/${first}`)))
  const left = await similar()
  holds(
    `a face that was deleted from a ${noun} is not found any more`,
    isSame(valuesOf(left, 'persistedFaceId'), [second]),
    left.text,
  )
  const again = await send('DELETE', `${faces}/${first}`)
  refuses(`DELETE of an unknown face of a ${noun}`, again, 404, 'PersistedFaceNotFound')
  await send('DELETE', list)
  refuses(`findsimilars in a ${noun} that was deleted`, await similar(), 404, `${name}NotFound`)
}

/** Single faces and pages of faces of a large list. */
async function largeList(node: Node, list: string, added: readonly string[]): Promise<void> {
  const { holds } = node
  const { send, trained, refuses } = facesOn(node)
  const faces = `${list}/persistedfaces`
  const [first = ''] = added
  const page = (query = '') => send('GET', `${faces}${query}`)
  const all = await page()
  const ids = added.toSorted()
  holds('GET persistedfaces lists them by id', isSame(valuesOf(all, 'persistedFaceId'), ids), all.text)
  holds(
    'with their user data',
    valuesOf(all, 'userData').every((text) => text.startsWith('Person')),
    all.text,
  )
  const two = await page(`?start=${ids[2]}&top=2`)
  holds('as many as top says, after start', isSame(valuesOf(two, 'persistedFaceId'), ids.slice(3, 5)), two.text)
  for (const query of ['top=0', 'top=1001', 'start=x'])
    refuses(`GET persistedfaces with ${query}`, await page(`?${query}`), 400, 'BadArgument')
  const face = `${faces}/${first}`
  const { json: shown } = await send('GET', face)
  holds('GET of a face shows its user data', isSame(shown, { persistedFaceId: first, userData: 'Person 0' }), shown)
  const noted = await send('PATCH', face, { userData: 'changed' })
  const { json: changed } = await send('GET', face)
  holds('PATCH of a face changes it', isEmpty(noted) && changed.userData === 'changed', changed)
  const long = await send('PATCH', face, { userData: 'u'.repeat(1_025) })
  refuses('PATCH of a face with 1,025 characters', long, 400, 'BadArgument')
  for (const [method, body] of [['GET'], ['PATCH', { userData: 'x' }]] as const) {
    const missing = await send(method, `${faces}/${unknownId}`, body)
    refuses(`${method} of an unknown face of a large face list`, missing, 404, 'PersistedFaceNotFound')
  }
  const never = await send('GET', `${list}/training`)
  refuses('the training of a large face list that was never trained', never, 404, 'LargeFaceListNotTrained')
  const nowhere = await send('POST', '/largefacelists/nope/train')
  refuses('train of an unknown large face list', nowhere, 404, 'LargeFaceListNotFound')
  await send('PUT', '/largefacelists/empty', { name: 'Empty' })
  await send('POST', '/largefacelists/empty/train')
  const empty = await trained('/largefacelists/empty')
  holds('a training without faces fails, and says why', empty?.status === 'failed' && empty.message, empty)
}

/** Snapshots of each kind of group and list. */
async function snapshots(node: Node, kind: Kind): Promise<void> {
  const { name, noun, path } = kind
  const { holds, url } = node
  const { send, operation, refuses } = facesOn(node)
  const account = accountOf('dev')
  const source = `/${path}/source`
  await send('PUT', source, { name: 'Source', userData: 'all of it', recognitionModel: 'recognition_03' })
  const isGroup = name.endsWith('PersonGroup')
  const { json: person } = isGroup ? await send('POST', `${source}/persons`, { name: 'Ada' }) : { json: undefined }
  const place = (of: string) => (isGroup ? `${of}/persons/${person.personId}/persistedfaces` : `${of}/persistedfaces`)
  const { persistedFaceId } = (await send('POST', `${place(source)}?userData=mine`, portrait)).json

  const take = (body: object = {}) =>
    send('POST', '/snapshots', { type: name, objectId: 'source', applyScope: [account], userData: 'sn', ...body })
  const taken = await take()
  const location = taken.headers.get('operation-location') ?? ''
  const isBegun =
    taken.status === 202 && taken.text === '' && location.startsWith(`${url}/face-recognition/operations/`)
  holds(`a snapshot of a ${noun} is begun with 202 and an Operation-Location`, isBegun, [taken.text, location])
  const done = await operation(taken)
  holds(`it succeeds for a ${noun}`, done?.status === 'succeeded', done)
  const isDated = Date.parse(done?.createdTime) <= Date.parse(done?.lastActionTime)
  holds(`the operation has its times for a ${noun}`, isDated, done)
  const snapshotId = String(done?.resourceLocation).split('/').at(-1) ?? ''
  const isPlaced = done?.resourceLocation === `/snapshots/${snapshotId}` && isId(snapshotId)
  holds(`and names the snapshot of a ${noun} as its resource`, isPlaced, done)
  const snapshot = `/snapshots/${snapshotId}`
  const { json: shown } = await send('GET', snapshot)
  const { createdTime, lastUpdateTime, ...rest } = shown
  const expected = { id: snapshotId, account, type: name, applyScope: [account], userData: 'sn' }
  const isShown = isSame(rest, expected) && Date.parse(createdTime) <= Date.parse(lastUpdateTime)
  holds(`GET of a snapshot of a ${noun} shows it whole`, isShown, shown)
  for (const [type, isListed] of [['', true], ...kinds.map((other) => [other.name, other.name === name])] as const) {
    const listed = await send('GET', `/snapshots${type === '' ? '' : `?type=${type}`}`)
    const isThere = valuesOf(listed, 'id').includes(snapshotId)
    holds(
      `a snapshot of a ${noun} is ${isListed ? '' : 'not '}listed with type=${type}`,
      isThere === isListed,
      listed.text,
    )
  }
  const apply = (body: object) => send('POST', `${snapshot}/apply`, body)
  const begun = await apply({ objectId: 'copy', mode: 'CreateNew' })
  holds(`apply of a snapshot of a ${noun} is 202 without a body`, begun.status === 202 && begun.text === '', begun.text)
  const applied = await operation(begun)
  const isApplied = applied?.status === 'succeeded' && applied.resourceLocation === `/${path}/copy`
  holds(`and makes a ${noun}`, isApplied, applied)
  const [{ json: original }, { json: copy }] = [
    await send('GET', `${source}?returnRecognitionModel=true`),
    await send('GET', `/${path}/copy?returnRecognitionModel=true`),
  ]
  holds(`a copied ${noun} is like the original`, isSame({ ...copy, [kind.param]: 'source' }, original), [
    copy,
    original,
  ])
  const faces = isGroup
    ? (await send('GET', `${place(`/${path}/copy`)}/${persistedFaceId}`)).json
    : name === 'FaceList'
      ? copy.persistedFaces[0]
      : (await send('GET', `/${path}/copy/persistedfaces`)).json[0]
  holds(`and has its faces, for a ${noun}`, isSame(faces, { persistedFaceId, userData: 'mine' }), faces)
  refuses(`apply onto a ${noun} that is there`, await apply({ objectId: 'copy' }), 409, `${name}Exists`)
  refuses(`a snapshot of an unknown ${noun}`, await take({ objectId: 'nope' }), 404, `${name}NotFound`)
  holds(`DELETE of a snapshot of a ${noun} is 200 without a body`, isEmpty(await send('DELETE', snapshot)))
  refuses(`GET of a snapshot of a ${noun} that was deleted`, await send('GET', snapshot), 404, 'SnapshotNotFound')
  holds(`and the copied ${noun} stays`, (await send('GET', `/${path}/copy`)).json?.name === 'Source')
}

/** Who may see, change and apply a snapshot, and for how long. */
async function sharing(node: Node): Promise<void> {
  const { holds, instance } = node
  const { send, operation, trained, refuses } = facesOn(node)
  const globex = facesOn(node, await instance.app.tenant('globex'))
  const [own, theirs] = [accountOf('dev'), accountOf('globex')]
  const { path, name, param } = largePersonGroup
  const group = `/${path}/shared`
  await send('PUT', group, { name: 'Shared', recognitionModel: 'recognition_02' })
  const { personId } = (await send('POST', `${group}/persons`, { name: 'Ada' })).json
  for (const photo of people[0]?.known ?? []) await send('POST', `${group}/persons/${personId}/persistedfaces`, photo)
  await send('POST', `${group}/train`)
  await trained(group)
  const bad: Record<string, object> = {
    'of an unknown type': { type: 'Junk', objectId: 'shared', applyScope: [own] },
    'without an object': { type: name, applyScope: [own] },
    'for nobody': { type: name, objectId: 'shared', applyScope: [] },
    'for what is no GUID': { type: name, objectId: 'shared', applyScope: ['x'] },
    'without a scope': { type: name, objectId: 'shared' },
    'with an unknown field': { type: name, objectId: 'shared', applyScope: [own], junk: 1 },
  }
  for (const [how, body] of Object.entries(bad))
    refuses(`a snapshot ${how}`, await send('POST', '/snapshots', body), 400, 'BadArgument')
  const taken = await send('POST', '/snapshots', { type: name, objectId: 'shared', applyScope: [theirs] })
  const snapshot: string = (await operation(taken)).resourceLocation
  const id = snapshot.split('/').at(-1) ?? ''
  const hidden = await globex.send('GET', operationOf(taken))
  refuses("another tenant's operation", hidden, 404, 'NotFound')
  refuses('an unknown operation', await send('GET', `/operations/${unknownId}`), 404, 'NotFound')
  const { json: seen } = await globex.send('GET', snapshot)
  holds('an account in applyScope sees the snapshot, and who took it', seen.id === id && seen.account === own, seen)
  const scoped = async (scope: string) =>
    valuesOf(await send('GET', `/snapshots?applyScope=${scope}`), 'id').includes(id)
  holds('snapshots are listed by an account of their scope', await scoped(theirs))
  holds('by one of several', await scoped(`${unknownId},${theirs}`))
  holds('and not by another', !(await scoped(unknownId)))
  refuses('an applyScope that is none', await send('GET', '/snapshots?applyScope=x'), 400, 'BadArgument')
  refuses('a type that is none', await send('GET', '/snapshots?type=Junk'), 400, 'BadArgument')
  const outside = await send('POST', `${snapshot}/apply`, { objectId: 'mine' })
  refuses('apply by an account that is not in applyScope', outside, 403, 'Forbidden')
  const change = await globex.send('PATCH', snapshot, { userData: 'x' })
  refuses('PATCH by an account that did not take it', change, 404, 'SnapshotNotFound')
  refuses('DELETE by an account that did not take it', await globex.send('DELETE', snapshot), 404, 'SnapshotNotFound')
  for (const body of [{}, { objectId: 'UPPER' }, { objectId: 'x', mode: 'Junk' }])
    refuses(
      `apply with ${JSON.stringify(body)}`,
      await globex.send('POST', `${snapshot}/apply`, body),
      400,
      'BadArgument',
    )
  await globex.operation(await globex.send('POST', `${snapshot}/apply`, { objectId: 'theirs' }))
  const faceIds = [await globex.faceIn(people[0]?.probe as Buffer)]
  const { json: results } = await globex.send('POST', '/identify', { faceIds, [param]: 'theirs' })
  holds(
    'a copy of a trained group identifies without a training',
    results[0]?.candidates?.[0]?.personId === personId,
    results,
  )

  const changed = await send('PATCH', snapshot, { userData: 'more', applyScope: [own] })
  const { json: after } = await send('GET', snapshot)
  const isChanged = after.userData === 'more' && isSame(after.applyScope, [own])
  holds('PATCH changes the user data and the scope of a snapshot', isEmpty(changed) && isChanged, after)
  refuses(
    'GET by an account that is not in applyScope any more',
    await globex.send('GET', snapshot),
    404,
    'SnapshotNotFound',
  )
  refuses('PATCH to an empty scope', await send('PATCH', snapshot, { applyScope: [] }), 400, 'BadArgument')
  const missing = `/snapshots/${unknownId}`
  for (const [method, path, body] of [
    ['GET', missing],
    ['PATCH', missing, { userData: 'x' }],
    ['DELETE', missing],
    ['POST', `${missing}/apply`, { objectId: 'x' }],
  ] as const)
    refuses(`${method} of an unknown snapshot`, await send(method, path, body), 404, 'SnapshotNotFound')
  await instance.app.clock.advance('47h')
  holds('a snapshot is there for 48 hours', (await send('GET', snapshot)).status === 200)
  await instance.app.clock.advance('61m')
  refuses('a snapshot after 48 hours', await send('GET', snapshot), 404, 'SnapshotNotFound')
}
