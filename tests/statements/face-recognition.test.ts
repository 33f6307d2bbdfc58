import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual as isSame } from 'node:util'
import sharp, { type Sharp } from 'sharp'
import { landmarkNames } from '../../services/face-recognition/src/engine/measure/names.ts'
import { hostileKinds } from '../../services/face-recognition/src/testing/hostile.ts'
import { groupPhoto } from '../../services/face-recognition/src/testing/photos.ts'
import { facesOn, fieldsOf, isDescending, isId, people, portrait, unknownId, valuesOf } from './faces.ts'
import { type Node, statementsOf } from './statements.ts'

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}
interface Similar {
  readonly faceId: string
  readonly confidence: number
}

const crowd = groupPhoto(5)
const levels = {
  blur: ['blurLevel', 'Low', 'Medium', 'High'],
  exposure: ['exposureLevel', 'UnderExposure', 'GoodExposure', 'OverExposure'],
  noise: ['noiseLevel', 'Low', 'Medium', 'High'],
} as const
const unbuiltAttributes = [
  ...['age', 'gender', 'smile', 'facialHair', 'glasses', 'emotion', 'hair', 'makeup', 'occlusion', 'accessories'],
  'mask',
]

statementsOf('F detection', ['face-recognition'], async (node) => {
  await callers(node)
  await detection(node)
  await attributes(node)
  await models(node)
  await photos(node)
  await comparison(node)
  await expiry(node)
})

async function callers(node: Node): Promise<void> {
  const { call, holds, url } = node
  const { refuses } = facesOn(node)
  const ask = (headers: Record<string, string>, root = '/face-recognition') =>
    call(`${url}${root}/detect`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(portrait),
    })
  refuses('a request without a key', await ask({}), 401, 'Unspecified')
  refuses('a request with a wrong key', await ask({ 'Vendor-Subscription-Key': 'wrong' }), 401, 'Unspecified')
  const key = 'icosa-dev-key'
  for (const header of ['Vendor-Subscription-Key', 'Ocp-Apim-Subscription-Key'])
    holds(`the key is in ${header}`, valuesOf(await ask({ [header]: key }), 'faceId').every(isId))
  const original = await ask({ 'Ocp-Apim-Subscription-Key': key }, '/face/v1.0')
  holds("the original's paths are at the root of the host", original.json?.length === 1, original.text)
}

async function detection(node: Node): Promise<void> {
  const { holds } = node
  const { detect, send, refuses } = facesOn(node)
  const usual = await detect(portrait)
  const [face] = usual.json
  holds('POST /detect is 200 with one face', usual.status === 200 && usual.json.length === 1, usual.text)
  holds('a face has an id and a rectangle alone', isSame(fieldsOf(face), ['faceId', 'faceRectangle']), face)
  holds('its id is a GUID', isId(face.faceId), face)
  const sides = fieldsOf(face.faceRectangle)
  holds('its rectangle has four sides', isSame(sides, ['height', 'left', 'top', 'width']), sides)
  const again = await detect(portrait)
  holds('every detection gives another id', again.json[0].faceId !== face.faceId, again.text)
  const [nameless] = (await detect(portrait, 'returnFaceId=false')).json
  holds('returnFaceId=false leaves the id out', isSame(fieldsOf(nameless), ['faceRectangle']), nameless)
  holds('returnFaceId=true is the default', isId((await detect(portrait, 'returnFaceId=true')).json[0].faceId))
  const [marked] = (await detect(portrait, 'returnFaceLandmarks=true&returnFaceId=false')).json
  const { faceLandmarks: landmarks, faceRectangle: box } = marked
  holds('there are 27 landmarks', isSame(fieldsOf(landmarks), landmarkNames.toSorted()), landmarks)
  const isNear = ({ left, top, width, height }: Box, { x, y }: { x: number; y: number }) =>
    Math.abs(x - left - width / 2) < width && Math.abs(y - top - height / 2) < height
  const far = landmarkNames.filter((name) => !isNear(box, landmarks[name]))
  holds('each landmark is where the face is', far.length === 0, far)
  const { pupilLeft, pupilRight, noseTip, mouthLeft, mouthRight } = landmarks
  const isUpright = pupilLeft.x < pupilRight.x && pupilLeft.y < noseTip.y && noseTip.y < mouthLeft.y
  holds('eyes are above the nose, and the nose above the mouth', isUpright && mouthLeft.x < mouthRight.x, landmarks)
  const several = await detect(crowd, 'returnFaceId=false')
  const areas = several.json.map(({ faceRectangle: { width, height } }: { faceRectangle: Box }) => width * height)
  holds('five persons are five faces, the largest first', areas.length === 5 && isDescending(areas), several.text)
  const wall = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  holds('a photo of nobody has no faces', isSame((await detect(wall)).json, []))
  for (const flag of ['returnFaceId', 'returnFaceLandmarks', 'returnRecognitionModel'])
    refuses(`${flag}=maybe`, await detect(portrait, `${flag}=maybe`), 400, 'BadArgument')
  for (const seconds of ['60', '86400']) {
    const kept = await detect(portrait, `faceIdTimeToLive=${seconds}`)
    holds(`faceIdTimeToLive may be ${seconds}`, isId(kept.json[0]?.faceId), kept.text)
  }
  for (const seconds of ['59', '86401', 'x'])
    refuses(`faceIdTimeToLive=${seconds}`, await detect(portrait, `faceIdTimeToLive=${seconds}`), 400, 'BadArgument')
  for (const size of [36, 70, 120]) {
    const { json } = await detect(await smallFace(box, size), 'returnFaceId=false')
    const [{ faceRectangle: rectangle = {} } = {}] = json
    const isFound =
      Math.abs(rectangle.left + rectangle.width / 2 - 960) < size && Math.abs(rectangle.width - size) < size / 2
    holds(`a face of ${size} pixels is found in a photo of 1920 by 1080`, isFound, json)
  }
  const wrong = await send('GET', '/detect')
  holds('GET /detect is 405 and says what is there', wrong.status === 405 && wrong.headers.get('allow') === 'POST', [
    wrong.status,
    wrong.headers.get('allow'),
  ])
}

/** Full HD photo with the portrait in the middle, scaled to a face width of `size`. */
async function smallFace(face: Box, size: number): Promise<Buffer> {
  const { width: full } = await sharp(portrait).metadata()
  const by = size / face.width
  const small = await sharp(portrait)
    .resize(Math.round(full * by))
    .toBuffer()
  const { height } = await sharp(small).metadata()
  const left = Math.round(960 - (face.left + face.width / 2) * by)
  return sharp({ create: { width: 1920, height: 1080, channels: 3, background: '#777' } })
    .composite([{ input: small, left, top: Math.max(0, Math.round(540 - height / 2)) }])
    .jpeg({ quality: 92 })
    .toBuffer()
}

async function attributes(node: Node): Promise<void> {
  const { holds, unbuilt } = node
  const { detect, refuses } = facesOn(node)
  const ask = (names: string, more = '') => detect(portrait, `returnFaceId=false&returnFaceAttributes=${names}${more}`)
  const all = (await ask('headPose,blur,exposure,noise')).json[0].faceAttributes
  holds(
    'attributes are those that were asked for',
    isSame(fieldsOf(all), ['blur', 'exposure', 'headPose', 'noise']),
    all,
  )
  const angles = Object.values(all.headPose) as number[]
  const isPose =
    isSame(fieldsOf(all.headPose), ['pitch', 'roll', 'yaw']) && angles.every((angle) => Math.abs(angle) <= 90)
  holds('a head pose has pitch, roll and yaw in degrees', isPose, all.headPose)
  for (const [name, [field, ...values]] of Object.entries(levels)) {
    const { [field]: level, value } = all[name]
    const isLevel = values.some((known) => known === level) && value >= 0 && value <= 1
    holds(`${name} has a ${field} and a value from 0 to 1`, isLevel, all[name])
    const alone = (await ask(name)).json[0].faceAttributes
    holds(`${name} is measured alone`, isSame(alone, { [name]: all[name] }), alone)
  }
  const blurred = await sharp(portrait).blur(8).jpeg().toBuffer()
  const { blur } = (await detect(blurred, 'returnFaceAttributes=blur')).json[0].faceAttributes
  holds('a blurred photo is more blurred', blur.value > all.blur.value && blur.blurLevel === 'High', [all.blur, blur])
  for (const model of ['recognition_03', 'recognition_04']) {
    const { json } = await ask('qualityForRecognition', `&recognitionModel=${model}`)
    const { qualityForRecognition: quality } = json[0].faceAttributes
    holds(`qualityForRecognition with ${model}`, ['Low', 'Medium', 'High'].includes(quality), json)
  }
  for (const model of ['recognition_01', 'recognition_02']) {
    const answer = await ask('qualityForRecognition', `&recognitionModel=${model}`)
    refuses(`qualityForRecognition with ${model}`, answer, 400, 'BadArgument')
  }
  refuses('an unknown attribute', await ask('shoeSize'), 400, 'BadArgument')
  for (const name of unbuiltAttributes) unbuilt(`${name} is not supported`, await ask(name), name)
  unbuilt('one that is not supported refuses the others', await ask('headPose,age'), 'age')
}

async function models(node: Node): Promise<void> {
  const { holds } = node
  const { detect, send, refuses } = facesOn(node)
  const shown = async (query: string) => (await detect(portrait, query)).json[0]
  for (const model of ['recognition_01', 'recognition_02', 'recognition_03', 'recognition_04']) {
    const { recognitionModel } = await shown(`returnRecognitionModel=true&recognitionModel=${model}`)
    holds(`a face of ${model} says so`, recognitionModel === model, recognitionModel)
  }
  const usual = await shown('returnRecognitionModel=true')
  holds('recognition_01 is the default', usual.recognitionModel === 'recognition_01', usual)
  refuses('an unknown recognition model', await detect(portrait, 'recognitionModel=recognition_09'), 400, 'BadArgument')
  for (const model of ['detection_01', 'detection_02', 'detection_03']) {
    const { faceRectangle: box } = await shown(`detectionModel=${model}`)
    const apart = Math.abs(box.left - usual.faceRectangle.left) + Math.abs(box.top - usual.faceRectangle.top)
    holds(`${model} finds the face`, apart < usual.faceRectangle.width / 2, [box, usual.faceRectangle])
  }
  refuses('an unknown detection model', await detect(portrait, 'detectionModel=detection_09'), 400, 'BadArgument')
  const faceId2 = (await shown('recognitionModel=recognition_02')).faceId
  const mixed = await send('POST', '/verify', { faceId1: usual.faceId, faceId2 })
  refuses('a comparison of two models', mixed, 400, 'BadArgument')
}

async function photos(node: Node): Promise<void> {
  const { holds } = node
  const { detect, send, refuses } = facesOn(node)
  const boxOf = async (image: Uint8Array): Promise<Box> =>
    (await detect(image, 'returnFaceId=false')).json?.[0]?.faceRectangle
  const usual = await boxOf(portrait)
  const edited = (edit: (image: Sharp) => Sharp) => edit(sharp(portrait)).toBuffer()
  const turned = (by: number, orientation: number) =>
    edited((image) => image.rotate(by).withMetadata({ orientation }).jpeg())
  const readable: Record<string, Buffer> = {
    PNG: await edited((image) => image.png()),
    GIF: await edited((image) => image.gif()),
    'a CMYK JPEG': await edited((image) => image.toColourspace('cmyk').jpeg()),
    'a progressive JPEG': await edited((image) => image.jpeg({ progressive: true })),
    'a grey JPEG': await edited((image) => image.greyscale().jpeg()),
    'a transparent PNG': await edited((image) => image.ensureAlpha(0.9).png()),
    'a PNG of 16 bits': await edited((image) => image.toColourspace('rgb16').png()),
    'a JPEG with EXIF orientation 3': await turned(180, 3),
    'a JPEG with EXIF orientation 6': await turned(270, 6),
    'a JPEG with EXIF orientation 8': await turned(90, 8),
  }
  for (const [name, image] of Object.entries(readable)) {
    const box = await boxOf(image)
    const apart = box && Math.abs(box.left - usual.left) + Math.abs(box.top - usual.top)
    holds(`${name} is read, with the face where it is`, box && apart < usual.width / 4, [box, usual])
  }
  const unreadable: Record<string, Uint8Array> = {
    'no byte': new Uint8Array(),
    text: Buffer.from('no photo'),
    PDF: Buffer.from('%PDF-1.4\n%'),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
    WebP: await edited((image) => image.webp()),
    TIFF: await edited((image) => image.tiff()),
    AVIF: await edited((image) => image.resize(100).avif({ effort: 0 })),
    'half a JPEG': portrait.subarray(0, portrait.length >> 1),
    'a photo of 35 by 35 pixels': await edited((image) => image.resize(35, 35)),
  }
  for (const [name, image] of Object.entries(unreadable)) refuses(name, await detect(image), 400, 'InvalidImage')
  for (const { name, outcome, image } of await hostileKinds(portrait)) {
    const answer = await detect(image(1), 'returnFaceId=false')
    if (outcome === 'refused') refuses(name, answer, 400, 'InvalidImage')
    else if (outcome === 'read') holds(`${name} is read`, answer.status === 200, answer.text)
  }
  refuses('a photo of more than 6 MiB', await detect(new Uint8Array(6 * 1024 ** 2 + 1)), 413, 'RequestTooLarge')
  const typed = await send('POST', '/detect', portrait, { 'content-type': 'image/jpeg' })
  refuses('a body that is neither bytes nor JSON', typed, 415, 'UnsupportedMediaType')

  const site = createServer((request, response) => {
    if (request.url === '/photo.jpg') response.end(portrait)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const fetched = await send('POST', '/detect', { url: `${origin}/photo.jpg` })
  holds('a photo may be at a URL', isSame(fetched.json[0]?.faceRectangle, usual), fetched.text)
  for (const url of [`${origin}/none.jpg`, 'ftp://example.com/x.jpg', 'no url'])
    refuses(`the URL ${url.replace(origin, '')}`, await send('POST', '/detect', { url }), 400, 'InvalidURL')
  site.close()
  for (const body of [{}, { url: 1 }, { url: 'https://example.com', junk: true }])
    refuses(`a body of ${JSON.stringify(body)}`, await send('POST', '/detect', body), 400, 'BadArgument')
}

async function comparison(node: Node): Promise<void> {
  const { holds, instance } = node
  const { send, detect, faceIn, refuses } = facesOn(node)
  const idsOf: string[][] = []
  for (const { probe, known } of people) {
    const ids: string[] = []
    for (const photo of [probe, ...known]) ids.push(await faceIn(photo))
    idsOf.push(ids)
  }
  const all = idsOf.flat()
  const [[face = '', own = ''] = [], [other = ''] = []] = idsOf
  const verify = (body: object) => send('POST', '/verify', body)
  for (const [index, [one, two]] of idsOf.entries()) {
    const { json } = await verify({ faceId1: one, faceId2: two })
    holds(`two photos of person ${index} are of one`, json.isIdentical === true && json.confidence >= 0.5, json)
    const { json: apart } = await verify({ faceId1: one, faceId2: idsOf[(index + 1) % 4]?.[0] })
    holds(
      `those of person ${index} and the next are of two`,
      apart.isIdentical === false && apart.confidence < 0.5,
      apart,
    )
  }
  const { json: itself } = await verify({ faceId1: face, faceId2: face })
  holds('a face is that of its own person, with a confidence near 1', itself.confidence > 0.99, itself)
  refuses('verify of one face alone', await verify({ faceId1: face }), 400, 'BadArgument')
  refuses('verify of what is no GUID', await verify({ faceId1: face, faceId2: 'x' }), 400, 'BadArgument')
  refuses('verify of an unknown face', await verify({ faceId1: face, faceId2: unknownId }), 404, 'FaceNotFound')
  const unknownField = await verify({ faceId1: face, faceId2: own, junk: 1 })
  refuses('verify with an unknown field', unknownField, 400, 'BadArgument')
  const otherTenant = facesOn(node, await instance.app.tenant('globex'))
  const foreign = await otherTenant.send('POST', '/verify', { faceId1: face, faceId2: own })
  refuses("verify of another tenant's faces", foreign, 404, 'FaceNotFound')

  const group = (faceIds: readonly string[]) => send('POST', '/group', { faceIds })
  const { json: grouped } = await group(all)
  const sets = (groups: readonly (readonly string[])[]) => groups.map((ids) => ids.toSorted().join()).toSorted()
  holds(
    'POST /group puts the photos of four persons into four groups',
    isSame(sets(grouped.groups), sets(idsOf)),
    grouped,
  )
  holds('without a messyGroup if there is nobody alone', !('messyGroup' in grouped), grouped)
  const differentFaces = idsOf.map(([first = '']) => first)
  const { json: messy } = await group(differentFaces)
  holds('who is alone is in messyGroup', isSame(sets([messy.messyGroup]), sets([differentFaces])), messy)
  holds('and in no group', isSame(messy.groups, []), messy)
  for (const faceIds of [[], [face], Array.from({ length: 1_001 }, () => face)])
    refuses(`POST /group of ${faceIds.length} faces`, await group(faceIds), 400, 'BadArgument')
  refuses('POST /group of an unknown face', await group([face, unknownId]), 404, 'FaceNotFound')

  const similar = (body: object) => send('POST', '/findsimilars', { faceId: face, ...body })
  const others = all.filter((id) => id !== face)
  const { json: own4 } = await similar({ faceIds: others })
  const found: string[] = own4.map(({ faceId }: Similar) => faceId)
  const isOwn = isSame(found.toSorted(), idsOf[0]?.slice(1).toSorted())
  holds('POST /findsimilars finds the photos of the same person, and no others', isOwn, own4)
  holds('the most similar first', isDescending(own4.map(({ confidence }: Similar) => confidence)), own4)
  holds('with faceId and confidence', isSame(fieldsOf(own4[0]), ['confidence', 'faceId']), own4[0])
  const { json: explicit } = await similar({ faceIds: others, mode: 'matchPerson' })
  holds('matchPerson is the default mode', isSame(explicit, own4), explicit)
  const { json: three } = await similar({ faceIds: others, mode: 'matchFace', maxNumOfCandidatesReturned: 3 })
  holds('maxNumOfCandidatesReturned says how many', isSame(three, own4.slice(0, 3)), three)
  const more = (await detect(crowd, 'recognitionModel=recognition_02')).json.map(({ faceId }: Similar) => faceId)
  const { json: twenty } = await similar({ faceIds: [...others, ...more], mode: 'matchFace' })
  holds('matchFace answers strangers, too: 20 unless it is asked for more', twenty.length === 20, twenty)
  refuses('findsimilars among nothing', await similar({}), 400, 'BadArgument')
  refuses('findsimilars in an unknown mode', await similar({ faceIds: [other], mode: 'junk' }), 400, 'BadArgument')
  for (const count of [0, 1_001]) {
    const faceIds = Array.from({ length: count }, () => other)
    refuses(`findsimilars among ${count} faces`, await similar({ faceIds }), 400, 'BadArgument')
    const limited = await similar({ faceIds: [other], maxNumOfCandidatesReturned: count })
    refuses(`findsimilars with ${count} candidates`, limited, 400, 'BadArgument')
  }
  const both = await similar({ faceIds: [other], faceListId: 'list' })
  refuses('findsimilars among faces and in a list', both, 400, 'BadArgument')
  refuses('findsimilars among unknown faces', await similar({ faceIds: [unknownId] }), 404, 'FaceNotFound')
}

async function expiry(node: Node): Promise<void> {
  const { holds, instance } = node
  const { send, detect, refuses } = facesOn(node)
  const { clock } = instance.app
  await clock.freeze()
  const [{ faceId: brief }] = (await detect(portrait, 'faceIdTimeToLive=60')).json
  const [{ faceId: usual }] = (await detect(portrait)).json
  const verify = (faceId1: string) => send('POST', '/verify', { faceId1, faceId2: usual })
  await clock.advance('59s')
  holds('a face id lives as long as faceIdTimeToLive says', (await verify(brief)).json.isIdentical === true)
  await clock.advance('2s')
  refuses('a face id after its faceIdTimeToLive', await verify(brief), 404, 'FaceNotFound')
  await clock.advance('23h')
  holds('a face id lives for 24 hours otherwise', (await verify(usual)).json.isIdentical === true)
  await clock.advance('1h')
  refuses('a face id after 24 hours', await verify(usual), 404, 'FaceNotFound')
}
