import { isDeepStrictEqual as isSame } from 'node:util'
import { type Kind, largePersonGroup, personGroup } from '../../services/face-recognition/src/collections/names.ts'
import { groupPhoto } from '../../services/face-recognition/src/testing/photos.ts'
import {
  additionsHold,
  collectionsHold,
  facesOn,
  fieldsOf,
  isDescending,
  isEmpty,
  isId,
  people,
  portrait,
  unknownId,
  valuesOf,
} from './faces.ts'
import { type Node, statementsOf } from './statements.ts'

interface Candidate {
  readonly personId: string
  readonly confidence: number
}

statementsOf('F persons', ['face-recognition'], async (node) => {
  for (const kind of [personGroup, largePersonGroup]) {
    await collectionsHold(node, kind)
    await persons(node, kind)
    await recognition(node, kind)
  }
})

/** Persons of a group, and their faces. */
async function persons(node: Node, { name, noun, path }: Kind): Promise<void> {
  const { holds } = node
  const { send, refuses } = facesOn(node)
  const group = `/${path}/staff`
  await send('PUT', group, { name: 'Staff' })
  const make = (body: object, at = group) => send('POST', `${at}/persons`, body)
  const created = await make({ name: 'Ada', userData: 'first' })
  const isMade = isSame(fieldsOf(created.json), ['personId']) && isId(created.json.personId)
  holds(`POST persons of a ${noun} answers a personId alone`, created.status === 200 && isMade, created.text)
  const bad: Record<string, object> = {
    'without a name': {},
    'with a name of 129 characters': { name: 'n'.repeat(129) },
    'with user data of 16,385 characters': { name: 'x', userData: 'u'.repeat(16_385) },
    'with an unknown field': { name: 'x', junk: true },
  }
  for (const [how, body] of Object.entries(bad))
    refuses(`a person of a ${noun} ${how}`, await make(body), 400, 'BadArgument')
  refuses(`a person of an unknown ${noun}`, await make({ name: 'x' }, `/${path}/nope`), 404, `${name}NotFound`)
  const { personId } = created.json
  const person = `${group}/persons/${personId}`
  const unknown = `${group}/persons/${unknownId}`
  const read = await send('GET', person)
  const ada = { personId, persistedFaceIds: [], name: 'Ada', userData: 'first' }
  holds(`GET of a person of a ${noun} shows it whole`, isSame(read.json, ada), read.text)
  const renamed = await send('PATCH', person, { name: 'Grace' })
  const { json: afterName } = await send('GET', person)
  const isRenamed = afterName.name === 'Grace' && afterName.userData === 'first'
  holds(`PATCH of a person of a ${noun} changes the name alone`, isEmpty(renamed) && isRenamed, afterName)
  await send('PATCH', person, { userData: 'second' })
  const { json: afterData } = await send('GET', person)
  const isNoted = afterData.name === 'Grace' && afterData.userData === 'second'
  holds(`PATCH of a person of a ${noun} changes the user data alone`, isNoted, afterData)
  refuses(`an empty name for a person of a ${noun}`, await send('PATCH', person, { name: '' }), 400, 'BadArgument')
  for (const [method, body] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const)
    refuses(`${method} of an unknown person of a ${noun}`, await send(method, unknown, body), 404, 'PersonNotFound')

  for (const other of ['Barbara', 'Charles', 'Dorothy']) await make({ name: other })
  const list = (query = '') => send('GET', `${group}/persons${query}`)
  const all = await list()
  const ids = valuesOf(all, 'personId')
  holds(`GET persons of a ${noun} lists them by id`, ids.length === 4 && isSame(ids, ids.toSorted()), all.text)
  const first = await list('?top=2')
  holds(
    `GET persons of a ${noun} shows as many as top says`,
    isSame(valuesOf(first, 'personId'), ids.slice(0, 2)),
    first.text,
  )
  const second = await list(`?start=${ids[1]}&top=1`)
  holds(`GET persons of a ${noun} begins after start`, isSame(valuesOf(second, 'personId'), [ids[2]]), second.text)
  for (const query of ['top=0', 'top=1001', 'start=x'])
    refuses(`GET persons of a ${noun} with ${query}`, await list(`?${query}`), 400, 'BadArgument')
  const nowhere = await send('GET', `/${path}/nope/persons`)
  refuses(`GET persons of an unknown ${noun}`, nowhere, 404, `${name}NotFound`)

  const faces = `${person}/persistedfaces`
  await additionsHold(node, { place: `a person of a ${noun}`, path: faces, crowd: groupPhoto(2) })
  const added = await send('POST', `${faces}?userData=at%20work`, portrait)
  const { persistedFaceId } = added.json
  const face = `${faces}/${persistedFaceId}`
  const { json: shown } = await send('GET', face)
  holds(
    `GET of a face of a ${noun} shows its user data`,
    isSame(shown, { persistedFaceId, userData: 'at work' }),
    shown,
  )
  const { json: having } = await send('GET', person)
  holds(`a person of a ${noun} lists the ids of its faces`, isSame(having.persistedFaceIds, [persistedFaceId]), having)
  const noted = await send('PATCH', face, { userData: 'at home' })
  const { json: changed } = await send('GET', face)
  holds(`PATCH of a face of a ${noun} changes it`, isEmpty(noted) && changed.userData === 'at home', changed)
  const long = await send('PATCH', face, { userData: 'u'.repeat(1_025) })
  refuses(`PATCH of a face of a ${noun} with 1,025 characters`, long, 400, 'BadArgument')
  for (const [method, body] of [['GET'], ['PATCH', { userData: 'x' }], ['DELETE']] as const) {
    const missing = await send(method, `${faces}/${unknownId}`, body)
    refuses(`${method} of an unknown face of a ${noun}`, missing, 404, 'PersistedFaceNotFound')
  }
  const elsewhere = await send(
    'GET',
    `${group}/persons/${ids.find((id) => id !== personId)}/persistedfaces/${persistedFaceId}`,
  )
  refuses(`a face of another person of a ${noun}`, elsewhere, 404, 'PersistedFaceNotFound')
  const nobody = await send('POST', `${unknown}/persistedfaces`, portrait)
  refuses(`a face for an unknown person of a ${noun}`, nobody, 404, 'PersonNotFound')
  const removed = await send('DELETE', face)
  const { json: without } = await send('GET', person)
  holds(
    `DELETE of a face of a ${noun} takes it away`,
    isEmpty(removed) && isSame(without.persistedFaceIds, []),
    without,
  )
  holds(`DELETE of a person of a ${noun} is 200 without a body`, isEmpty(await send('DELETE', person)))
  refuses(`a person of a ${noun} who was deleted`, await send('GET', person), 404, 'PersonNotFound')
}

/** Training and identification. */
async function recognition(node: Node, kind: Kind): Promise<void> {
  const { name, noun, path, param } = kind
  const { holds, instance } = node
  const { send, detect, faceIn, trained, refuses } = facesOn(node)
  const group = `/${path}/known`
  await send('PUT', group, { name: 'Known', recognitionModel: 'recognition_02' })
  const identify = (faceIds: readonly string[], more: object = {}) =>
    send('POST', '/identify', { faceIds, [param]: 'known', ...more })
  const probes: string[] = []
  for (const { probe } of people) probes.push(await faceIn(probe))
  const [probe = '', another = ''] = probes
  refuses(
    `the training of a ${noun} that was never trained`,
    await send('GET', `${group}/training`),
    404,
    `${name}NotTrained`,
  )
  refuses(`identify in a ${noun} that was never trained`, await identify([probe]), 400, `${name}NotTrained`)
  refuses(`train of an unknown ${noun}`, await send('POST', `/${path}/nope/train`), 404, `${name}NotFound`)
  await send('POST', `${group}/train`)
  const empty = await trained(group)
  holds(`a training of a ${noun} without faces fails, and says why`, empty?.status === 'failed' && empty.message, empty)

  const personIds: string[] = []
  for (const { name: called, known } of people) {
    const { personId } = (await send('POST', `${group}/persons`, { name: called })).json
    for (const photo of known) await send('POST', `${group}/persons/${personId}/persistedfaces`, photo)
    personIds.push(personId)
  }
  const begun = await send('POST', `${group}/train`)
  holds(`POST train of a ${noun} is 202 without a body`, begun.status === 202 && begun.text === '', begun.text)
  const training = await trained(group)
  holds(`the training of a ${noun} succeeds`, training?.status === 'succeeded', training)
  for (const field of ['createdDateTime', 'lastActionDateTime', 'lastSuccessfulTrainingDateTime'])
    holds(`the training of a ${noun} has its ${field}`, Date.parse(training?.[field]) > 0, training)
  for (const [index, faceId] of probes.entries()) {
    const { json } = await identify([faceId])
    const [{ faceId: asked, candidates }] = json
    const isKnown = asked === faceId && candidates.length === 1 && candidates[0].personId === personIds[index]
    holds(`person ${index} is identified in a ${noun}`, isKnown && candidates[0].confidence >= 0.5, json)
    const { json: same } = await send('POST', '/verify', { faceId, personId: personIds[index], [param]: 'known' })
    holds(`person ${index} is verified in a ${noun}`, same.isIdentical === true && same.confidence >= 0.5, same)
    const personId = personIds[(index + 1) % 4]
    const { json: other } = await send('POST', '/verify', { faceId, personId, [param]: 'known' })
    holds(`person ${index} is not the next in a ${noun}`, other.isIdentical === false && other.confidence < 0.5, other)
  }
  const { json: several } = await identify(probes)
  const order = several.map(({ faceId }: { faceId: string }) => faceId)
  holds(`several faces are identified in a ${noun}, in their order`, isSame(order, probes), several)
  const { json: open } = await identify([probe], { maxNumOfCandidatesReturned: 5, confidenceThreshold: 0 })
  const { candidates } = open[0] as { candidates: Candidate[] }
  const isRanked = isDescending(candidates.map(({ confidence }) => confidence))
  holds(
    `all four are candidates in a ${noun} from 0 on, the likeliest first`,
    candidates.length === 4 && isRanked,
    open,
  )
  const { json: two } = await identify([probe], { maxNumOfCandidatesReturned: 2, confidenceThreshold: 0 })
  holds(`maxNumOfCandidatesReturned is kept in a ${noun}`, isSame(two[0].candidates, candidates.slice(0, 2)), two)
  const { json: sure } = await identify([probe], { confidenceThreshold: 1 })
  holds(`nobody is identified in a ${noun} with a confidence of 1`, isSame(sure[0].candidates, []), sure)
  for (const [what, faceIds] of Object.entries({
    'no face': [],
    '11 faces': Array.from({ length: 11 }, () => probe),
    'what is no GUID': ['x'],
  }))
    refuses(`identify of ${what} in a ${noun}`, await identify(faceIds), 400, 'BadArgument')
  for (const more of [
    { maxNumOfCandidatesReturned: 0 },
    { maxNumOfCandidatesReturned: 6 },
    { confidenceThreshold: 1.1 },
    { junk: 1 },
  ])
    refuses(`identify in a ${noun} with ${JSON.stringify(more)}`, await identify([probe], more), 400, 'BadArgument')
  refuses(`identify of an unknown face in a ${noun}`, await identify([unknownId]), 404, 'FaceNotFound')
  refuses(`identify in an unknown ${noun}`, await identify([probe], { [param]: 'nope' }), 404, `${name}NotFound`)
  const unnamed = await send('POST', '/identify', { faceIds: [probe] })
  refuses('identify in no group', unnamed, 400, 'BadArgument')
  const both = await identify([probe], { personGroupId: 'known', largePersonGroupId: 'known' })
  refuses('identify in two groups', both, 400, 'BadArgument')
  const [{ faceId: other }] = (await detect(portrait, 'recognitionModel=recognition_01')).json
  refuses(`identify of a face of another model in a ${noun}`, await identify([other]), 400, 'BadArgument')
  const verify = (body: object) => send('POST', '/verify', { faceId: probe, [param]: 'known', ...body })
  refuses(`verify with an unknown person of a ${noun}`, await verify({ personId: unknownId }), 404, 'PersonNotFound')
  refuses(`verify with no person of a ${noun}`, await verify({}), 400, 'BadArgument')
  const { personId: faceless } = (await send('POST', `${group}/persons`, { name: 'Faceless' })).json
  refuses(`verify with a person of a ${noun} without faces`, await verify({ personId: faceless }), 400, 'BadArgument')

  const [first, second] = personIds
  await send('DELETE', `${group}/persons/${second}`)
  const { json: gone } = await identify([another])
  holds(
    `who is deleted from a ${noun} is not identified any more, without a training`,
    isSame(gone[0].candidates, []),
    gone,
  )
  const { personId: late } = (await send('POST', `${group}/persons`, { name: 'Late' })).json
  await send('POST', `${group}/persons/${late}/persistedfaces`, people[1]?.known[0])
  const { json: before } = await identify([another], { confidenceThreshold: 0.5 })
  holds(`who is added to a ${noun} is not known before the next training`, isSame(before[0].candidates, []), before)
  await instance.app.settle()
  const { lastSuccessfulTrainingDateTime: earlier } = (await send('GET', `${group}/training`)).json
  await send('POST', `${group}/train`)
  const later = await trained(group)
  const { json: after } = await identify([another], { confidenceThreshold: 0.5 })
  holds(`and is known after it in a ${noun}`, after[0].candidates[0]?.personId === late, after)
  const isNewer = Date.parse(later.lastSuccessfulTrainingDateTime) > Date.parse(earlier)
  holds(`the training of a ${noun} says when it last succeeded`, isNewer, [earlier, later])
  const { json: still } = await identify([probe])
  holds(`and the others of the ${noun} are known as before`, still[0].candidates[0]?.personId === first, still)
  await send('DELETE', group)
  refuses(`identify in a ${noun} that was deleted`, await identify([probe]), 404, `${name}NotFound`)
}
