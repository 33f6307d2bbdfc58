import { isDeepStrictEqual as isSame } from 'node:util'
import type { Tenant } from '../../apps/server/src/testkit/types.ts'
import type { Kind } from '../../services/face-recognition/src/collections/names.ts'
import { photosOf } from '../../services/face-recognition/src/testing/photos.ts'
import { type Answer, type Node, until } from './statements.ts'

/** Photos of four persons: one to identify, and the known ones. */
export const people = [0, 1, 2, 3].map((index) => {
  const [probe = Buffer.alloc(0), ...photos] = photosOf(index)
  return { name: `Person ${index}`, probe, known: photos }
})
export const portrait = (people[1] as (typeof people)[number]).probe
export const unknownId = '11111111-1111-4111-8111-111111111111'
export const isId = (value: unknown) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(value))
export const isEmpty = ({ status, text }: Answer) => status === 200 && text === ''
export const fieldsOf = (value: object | undefined) => Object.keys(value ?? {}).toSorted()
export const valuesOf = ({ json }: Answer, field: string): string[] =>
  (Array.isArray(json) ? json : []).map((item: Record<string, string>) => item[field] ?? '')
export const isDescending = (values: readonly number[]) =>
  isSame(
    values,
    values.toSorted((p, q) => q - p),
  )

/** Calls of a tenant; a body of bytes is a photo. */
export function facesOn({ call, holds, instance }: Node, tenant: Pick<Tenant, 'service'> = instance.app) {
  const { url, headers } = tenant.service('face-recognition')
  const send = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const isPhoto = body instanceof Uint8Array
    const type = isPhoto ? { 'content-type': 'application/octet-stream' } : {}
    const sent = isPhoto ? { body: new Uint8Array(body) } : { json: body }
    return call(url + path, { method, headers: { ...headers, ...type, ...more }, ...sent })
  }
  return {
    send,
    detect: (photo: Uint8Array, query = '') => send('POST', `/detect?${query}`, photo),
    /** Id of the largest face in a photo, for groups and lists of `recognition_02`. */
    async faceIn(photo: Uint8Array): Promise<string> {
      return (await send('POST', '/detect?recognitionModel=recognition_02', photo)).json[0].faceId
    },
    /** Expects a failure with status, code and a message. */
    refuses(statement: string, { status, json, text }: Answer, expected: number, code: string) {
      const isExpected = status === expected && json?.error?.code === code && json.error.message !== ''
      holds(`${statement} is ${expected} ${code}`, isExpected, [status, text])
    },
    /** Waits for the end of an operation that a 202 has started. */
    async operation(begun: Answer): Promise<Answer['json']> {
      const path = operationOf(begun)
      await instance.app.settle()
      return until(async () => {
        const { json } = await send('GET', path)
        return (json.status === 'succeeded' || json.status === 'failed') && json
      })
    },
    /** Waits for the end of a training. */
    async trained(path: string): Promise<Answer['json']> {
      await instance.app.settle()
      return until(async () => {
        const { json } = await send('GET', `${path}/training`)
        return (json.status === 'succeeded' || json.status === 'failed') && json
      })
    },
  }
}

/** Path of the operation that a 202 has started. */
export const operationOf = ({ headers }: Answer): string =>
  new URL(headers.get('operation-location') ?? '').pathname.replace('/face-recognition', '')

/** Statements common to groups and lists, standard and large. */
export async function collectionsHold(node: Node, { name, noun, param, path }: Kind): Promise<void> {
  const { holds, instance } = node
  const { send, refuses } = facesOn(node)
  const isList = name === 'FaceList'
  const faces = isList ? { persistedFaces: [] } : {}
  const put = (id: string, body: object) => send('PUT', `/${path}/${id}`, body)
  const get = (id: string, query = '') => send('GET', `/${path}/${id}${query}`)
  const created = await put('friends', { name: 'Friends', userData: 'u', recognitionModel: 'recognition_02' })
  holds(`PUT of a ${noun} is 200 without a body`, isEmpty(created), created.text)
  refuses(`PUT of a ${noun} that is there`, await put('friends', { name: 'Again' }), 409, `${name}Exists`)
  const bad: Record<string, [id: string, body: object]> = {
    'with an id in capitals': ['UPPER', { name: 'x' }],
    'with an id of 65 characters': ['a'.repeat(65), { name: 'x' }],
    'without a name': ['other', {}],
    'with an empty name': ['other', { name: '' }],
    'with a name of 129 characters': ['other', { name: 'n'.repeat(129) }],
    'with user data of 16,385 characters': ['other', { name: 'x', userData: 'u'.repeat(16_385) }],
    'with an unknown recognition model': ['other', { name: 'x', recognitionModel: 'recognition_09' }],
    'with an unknown field': ['other', { name: 'x', junk: true }],
  }
  for (const [how, [id, body]] of Object.entries(bad))
    refuses(`PUT of a ${noun} ${how}`, await put(id, body), 400, 'BadArgument')
  const large = { name: 'n'.repeat(128), userData: 'u'.repeat(16_384) }
  const longest = 'a'.repeat(64)
  await put(longest, large)
  const { json: kept } = await get(longest, '?returnRecognitionModel=true')
  holds(
    `a ${noun} has an id of up to 64, a name of up to 128 and user data of up to 16,384 characters, and recognition_01`,
    isSame(kept, { [param]: longest, ...large, recognitionModel: 'recognition_01', ...faces }),
    kept,
  )
  const plain = { [param]: 'friends', name: 'Friends', userData: 'u' }
  const { json: shown } = await get('friends')
  holds(
    `GET of a ${noun} shows ${param}, name and userData, and no model`,
    isSame(shown, { ...plain, ...faces }),
    shown,
  )
  const { json: whole } = await get('friends', '?returnRecognitionModel=true')
  holds(`GET of a ${noun} shows its model if it is asked to`, whole.recognitionModel === 'recognition_02', whole)
  const notABoolean = await get('friends', '?returnRecognitionModel=maybe')
  refuses(`returnRecognitionModel=maybe of a ${noun}`, notABoolean, 400, 'BadArgument')

  const patch = (body: object, id = 'friends') => send('PATCH', `/${path}/${id}`, body)
  const renamed = await patch({ name: 'Colleagues' })
  const { json: afterName } = await get('friends')
  const isRenamed = afterName.name === 'Colleagues' && afterName.userData === 'u'
  holds(`PATCH of a ${noun} changes its name alone`, isEmpty(renamed) && isRenamed, afterName)
  await patch({ userData: 'more' })
  const { json: afterData } = await get('friends')
  const isNoted = afterData.name === 'Colleagues' && afterData.userData === 'more'
  holds(`PATCH of a ${noun} changes its user data alone`, isNoted, afterData)
  const other = await patch({ recognitionModel: 'recognition_01' })
  refuses(`PATCH of a ${noun} with another model`, other, 400, 'BadArgument')
  refuses(`PATCH of a ${noun} with a long name`, await patch({ name: 'n'.repeat(129) }), 400, 'BadArgument')
  refuses(`PATCH of an unknown ${noun}`, await patch({ name: 'x' }, 'nope'), 404, `${name}NotFound`)
  refuses(`GET of an unknown ${noun}`, await get('nope'), 404, `${name}NotFound`)
  refuses(`DELETE of an unknown ${noun}`, await send('DELETE', `/${path}/nope`), 404, `${name}NotFound`)
  const otherTenant = facesOn(node, await instance.app.tenant('globex'))
  const foreign = await otherTenant.send('GET', `/${path}/friends`)
  refuses(`GET of a ${noun} of another tenant`, foreign, 404, `${name}NotFound`)

  await put('zoo', { name: 'Zoo', recognitionModel: 'recognition_04' })
  const list = (query = '') => send('GET', `/${path}${query}`)
  const all = await list()
  const ids = [longest, 'friends', 'zoo']
  holds(`GET /${path} lists them by id`, isSame(valuesOf(all, param), ids), all.text)
  holds(
    `GET /${path} shows neither models nor faces`,
    all.json.every((item: object) => !('recognitionModel' in item || 'persistedFaces' in item)),
    all.text,
  )
  const models = valuesOf(await list('?returnRecognitionModel=true'), 'recognitionModel')
  const isModels = isSame(models, ['recognition_01', 'recognition_02', 'recognition_04'])
  holds(`GET /${path} shows models if it is asked to`, isModels, models)
  if (!isList) {
    const first = await list('?top=1')
    holds(`GET /${path} shows as many as top says`, isSame(valuesOf(first, param), ids.slice(0, 1)), first.text)
    const rest = await list('?start=friends')
    holds(`GET /${path} begins after start`, isSame(valuesOf(rest, param), ['zoo']), rest.text)
    for (const top of ['0', '1001', 'x'])
      refuses(`GET /${path}?top=${top}`, await list(`?top=${top}`), 400, 'BadArgument')
  }
  const removed = await send('DELETE', `/${path}/zoo`)
  refuses(`GET of a ${noun} that was deleted`, await get('zoo'), 404, `${name}NotFound`)
  const isFree = isEmpty(await put('zoo', { name: 'Another' }))
  holds(`DELETE of a ${noun} is 200 without a body, and its id is free again`, isEmpty(removed) && isFree, removed.text)
  for (const id of [longest, 'friends', 'zoo']) await send('DELETE', `/${path}/${id}`)
}

/** Statements about adding a face: refused photos, and the choice among several faces. */
export async function additionsHold(
  node: Node,
  { place, path, crowd }: { readonly place: string; readonly path: string; readonly crowd: Uint8Array },
): Promise<void> {
  const { holds } = node
  const { send, detect, refuses } = facesOn(node)
  const add = (photo: unknown, query = '') => send('POST', `${path}?${query}`, photo)
  const added = await add(portrait, 'userData=mine&detectionModel=detection_02')
  const isAlone = isSame(fieldsOf(added.json), ['persistedFaceId']) && isId(added.json.persistedFaceId)
  holds(`a face that is added to ${place} gets a persistedFaceId`, added.status === 200 && isAlone, added.text)
  refuses(`a photo of several persons for ${place}`, await add(crowd), 400, 'InvalidImage')
  const { left, top, width, height } = (await detect(crowd, 'returnFaceId=false')).json[1].faceRectangle
  const chosen = await add(crowd, `targetFace=${left},${top},${width},${height}`)
  holds(`targetFace chooses one of several for ${place}`, isId(chosen.json?.persistedFaceId), chosen.text)
  refuses(`targetFace where no face is, for ${place}`, await add(portrait, 'targetFace=0,0,10,10'), 400, 'InvalidImage')
  for (const target of ['bad', '1,2,3', '0,0,0,0'])
    refuses(`targetFace=${target} for ${place}`, await add(portrait, `targetFace=${target}`), 400, 'BadArgument')
  const model = await add(portrait, 'detectionModel=detection_09')
  refuses(`an unknown detection model for ${place}`, model, 400, 'BadArgument')
  const noted = await add(portrait, `userData=${'u'.repeat(1_025)}`)
  refuses(`user data of 1,025 characters for a face of ${place}`, noted, 400, 'BadArgument')
  refuses(`what is no photo, for ${place}`, await add(Buffer.from('no photo')), 400, 'InvalidImage')
  refuses(`a URL that leads nowhere, for ${place}`, await add({ url: 'no url' }), 400, 'InvalidURL')
  for (const { json } of [added, chosen]) await send('DELETE', `${path}/${json.persistedFaceId}`)
}
