import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sized } from '@icosa/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { typeOf } from './content/type.ts'
import { pictureFormats } from './formats.ts'
import { openPictures, type Pictures } from './images/pictures.ts'
import { type Films, openFilms } from './programs/films.ts'
import { exifOf, film, heic, inFolder, picture, tagged } from './testing/files.ts'
import { makers, withMakerNote } from './testing/maker-notes.ts'

let pictures: Pictures
let films: Films
let state = ''
beforeAll(async () => {
  state = await mkdtemp(join(tmpdir(), 'icosa-cameras-'))
  await chmod(state, 0o711)
  pictures = openPictures({ size: 1 })
  const runtime = process.env.NIGHTLY ? 'runsc' : 'bwrap'
  films = openFilms({ state, runtime, onError: (error) => console.error(error) })
})
afterAll(async () => {
  await pictures.close()
  await films.close()
  await rm(state, { recursive: true, force: true })
})

/** Metadata of cameras and phones: location, serial number and owner in EXIF, XMP and IPTC. */
const gps = [
  '-GPSLatitude=52.3731',
  '-GPSLatitudeRef=N',
  '-GPSLongitude=4.8922',
  '-GPSLongitudeRef=E',
  '-GPSAltitude=3',
]
const exif = [...gps, '-EXIF:SerialNumber=SN-1234567', '-LensSerialNumber=LENS-998877', '-OwnerName=Zoe']
const xmp = [
  '-XMP-exif:GPSLatitude=52.3731',
  '-XMP-exif:GPSLongitude=4.8922',
  '-XMP-aux:SerialNumber=SN-1234567',
  '-XMP-iptcExt:LocationCreatedCity=Amsterdam',
]
const iptc = ['-IPTC:City=Amsterdam', '-IPTC:Sub-location=Dam', '-IPTC:By-line=Zoe']
const place = '52.3731, 4.8922, 1'
const secrets = /SN-1234567|LENS-998877|Amsterdam|52\.373|52 deg 22|Zoe|at home/
/** Tag groups that renditions must not contain. */
const groups =
  /^(EXIF|XMP|IPTC|MakerNotes|PNG|GIF|Photoshop|MPF|Trailer|Samsung|Keys|UserData|ItemList):|GPS|Serial|Make$|Model$|Comment/

type Sample = (model: string, seed: number) => Promise<Buffer>
const photo = (seed: number) => picture(160, 120, seed)
const modelTags = (model: string) => [`-Make=${model.split(' ')[0]}`, `-Model=${model}`]
const shot = ['-f', 'lavfi', '-i', 'testsrc=duration=1:size=320x240:rate=10', '-pix_fmt', 'yuv420p', '-c:v', 'libx264']

const jpeg: Sample = async (model, seed) =>
  tagged(await photo(seed).jpeg().toBuffer(), 'a.jpg', [
    ...modelTags(model),
    ...exif,
    ...xmp,
    ...iptc,
    '-Comment=at home',
  ])
/** With the maker's proprietary note. */
const withNote =
  (make: string): Sample =>
  async (model, seed) => {
    const maker = makers.find((maker) => maker.make.startsWith(make)) as (typeof makers)[number]
    const plain = withMakerNote(await photo(seed).jpeg().toBuffer(), maker, 'SN-1234567')
    return tagged(plain, 'a.jpg', [`-Model=${model}`, ...gps, ...xmp])
  }
/** With an embedded preview that contains the location. */
const previewed: Sample = async (model, seed) =>
  inFolder(async (folder) => {
    const preview = join(folder, 'preview.jpg')
    await writeFile(preview, await tagged(await picture(80, 60, seed).jpeg().toBuffer(), 'p.jpg', [...gps, ...iptc]))
    return tagged(await jpeg(model, seed), 'a.jpg', [`-ThumbnailImage<=${preview}`])
  })
/** Motion photo: a film with location appended to the picture. */
const moving: Sample = async (model, seed) =>
  Buffer.concat([
    await jpeg(model, seed),
    await tagged(await film('a.mp4', shot), 'a.mp4', [`-Keys:GPSCoordinates=${place}`]),
  ])
const png: Sample = async (model, seed) =>
  tagged(await photo(seed).png().toBuffer(), 'a.png', [
    ...modelTags(model),
    ...exif,
    ...xmp,
    ...iptc,
    '-PNG:Comment=at home',
  ])
const webp: Sample = async (model, seed) =>
  tagged(await photo(seed).webp().toBuffer(), 'a.webp', [...modelTags(model), ...exif, ...xmp])
const tiff: Sample = async (model, seed) =>
  tagged(await photo(seed).tiff().toBuffer(), 'a.tif', [...modelTags(model), ...exif, ...xmp, ...iptc])
const gif: Sample = async (_, seed) =>
  tagged(await photo(seed).gif().toBuffer(), 'a.gif', [...xmp, '-GIF:Comment=at home'])
const avif: Sample = async (model, seed) =>
  tagged(await photo(seed).avif({ effort: 0 }).toBuffer(), 'a.avif', [...modelTags(model), ...exif, ...xmp])
const heif: Sample = async (model, seed) =>
  tagged(await heic(await photo(seed).jpeg().toBuffer()), 'a.heic', [...modelTags(model), ...exif, ...xmp])
const recorded =
  (name: string, tags: (model: string) => string[]): Sample =>
  async (model) =>
    tagged(await film(name, shot), name, tags(model))
/** Apple keys, the older user data atom (©xyz), iTunes item list, XMP. */
const keys = recorded('a.mov', (model) => [
  `-Keys:GPSCoordinates=${place}`,
  `-Keys:Make=${model.split(' ')[0]}`,
  `-Keys:Model=${model}`,
  '-Keys:Author=Zoe',
])
const userData = recorded('a.mp4', (model) => [`-UserData:GPSCoordinates=${place}`, `-UserData:Model=${model}`])
const itemList = recorded('a.mp4', () => [`-ItemList:GPSCoordinates=${place}`, '-ItemList:Comment=at home'])
const packet = recorded('a.mp4', () => xmp)
const threeG = recorded('a.3gp', () => [
  '-UserData:LocationInformation=Amsterdam Role=shooting Lat=52.37310 Lon=4.89220 Alt=1.00 Body=earth Notes=at home',
])

/** Fifty cameras, each in one of the formats that it writes. */
const cameras: readonly (readonly [string, Sample])[] = [
  ['Apple iPhone 6', withNote('Apple')],
  ['Canon EOS 5D Mark IV', withNote('Canon')],
  ['samsung SM-G991B', moving],
  ['Apple iPhone 15', heif],
  ['Apple iPhone 12 Pro', keys],
  ['Google Pixel 6', webp],
  ['Fairphone FP4', png],
  ['Google Pixel 8 Pro', avif],
  ['Hasselblad L1D-20c', tiff],
  ['Nokia 808', gif],
  ['NIKON D750', withNote('NIKON')],
  ['SONY ILCE-7M3', withNote('SONY')],
  ['Panasonic DC-GH5', withNote('Panasonic')],
  ['FUJIFILM X-T3', withNote('FUJIFILM')],
  ['OLYMPUS E-M1MarkII', withNote('OLYMPUS')],
  ['PENTAX K-1', withNote('PENTAX')],
  ['NIKON Z 6', tiff],
  ['NIKON COOLPIX P900', previewed],
  ['Canon EOS R5', previewed],
  ['Canon PowerShot G7 X', withNote('Canon')],
  ['SONY DSC-RX100M5', previewed],
  ['FUJIFILM X100V', withNote('FUJIFILM')],
  ['Panasonic DMC-TZ80', withNote('Panasonic')],
  ['OLYMPUS TG-5', withNote('OLYMPUS')],
  ['RICOH GR III', jpeg],
  ['LEICA Q2', tiff],
  ['DJI FC3170', packet],
  ['DJI FC220', userData],
  ['GoPro HERO9 Black', userData],
  ['Insta360 ONE X2', itemList],
  ['Kodak PIXPRO AZ401', jpeg],
  ['samsung SM-G930F', previewed],
  ['samsung SM-S918B', moving],
  ['samsung SM-A515F', userData],
  ['Google Pixel 3', moving],
  ['HUAWEI P30 Pro', jpeg],
  ['HUAWEI Mate 20', heif],
  ['Xiaomi Mi 9', jpeg],
  ['Xiaomi 13', heif],
  ['OnePlus 7T', png],
  ['OPPO Find X3', heif],
  ['vivo X60', webp],
  ['motorola moto g(7)', jpeg],
  ['Sony Xperia 1', previewed],
  ['LG Electronics G6', png],
  ['HTC One', threeG],
  ['BlackBerry Passport', threeG],
  ['Apple iPhone X', withNote('Apple')],
  ['Apple iPad Pro', keys],
  ['Nothing Phone (1)', avif],
]

/** Public renditions of a file. */
async function publicCopies(content: Buffer): Promise<Buffer[]> {
  const { kind, contentType } = typeOf(content) ?? {}
  const ofPicture = async (image: Buffer) =>
    (await pictures.copies('a', image, pictureFormats.slice(-2))).map((copy) => Buffer.from(copy.content))
  if (kind === 'image' && contentType !== 'image/heic') return ofPicture(content)
  return films.open(
    'a',
    async () => Readable.from([content]),
    async (opened) => {
      if (kind === 'image') return ofPicture(await opened.still())
      const probe = await opened.probe()
      const { body, done } = opened.rendition(probe, () => {})
      const [rendition] = await Promise.all([buffer(body), done])
      return [rendition, ...(await ofPicture(await opened.poster(probe)))]
    },
  )
}

test(`of ${sized(10, 50)} cameras, public renditions contain no camera metadata, and originals contain all of it`, async () => {
  expect(new Set(cameras.map(([model]) => model)).size).toBe(50)
  const counts = new Map<string, number>()
  for (const [index, [model, make]] of cameras.slice(0, sized(10, 50)).entries()) {
    const content = await make(model, index)
    const { contentType = '', extension = '' } = typeOf(content) ?? {}
    const before = await exifOf(content, `a.${extension}`)
    expect(JSON.stringify(before), `${model} ${contentType}`).toMatch(/52\.373/)
    for (const copy of await publicCopies(content)) {
      const after = await exifOf(copy, `b.${typeOf(copy)?.extension}`)
      expect
        .soft(
          Object.keys(after).filter((key) => groups.test(key)),
          `${model} ${contentType}`,
        )
        .toEqual([])
      expect.soft(JSON.stringify(after), model).not.toMatch(secrets)
      expect.soft(copy.toString('latin1'), model).not.toMatch(secrets)
    }
    counts.set(contentType, (counts.get(contentType) ?? 0) + 1)
  }
  console.log([...counts].map(([type, count]) => `${count} ${type}`).join(', '))
}, 900_000)
