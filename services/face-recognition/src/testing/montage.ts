import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { decode } from '../engine/image/decode.ts'
import type { Box } from '../engine/image/picture.ts'
import type { Finder } from '../engine/look/find.ts'
import { labelledPhotos } from './photos.ts'

interface Portrait {
  readonly image: Buffer
  readonly face: Box
}

export interface Montage {
  readonly image: Buffer
  readonly faces: readonly Box[]
}

export const faceSizes = [36, 50, 70, 90, 120, 160] as const
const [columns, rows, margin] = [4, 3, 5]
const [width, height] = [1920, 1080]
const cell = { width: width / columns, height: height / rows }

/** Three portraits of each of four persons. */
export async function portraitsBy(finder: Finder): Promise<Portrait[]> {
  const persons = Map.groupBy(labelledPhotos, ({ person }) => person).values()
  const files = [...persons].flatMap((photos) => photos.slice(0, rows).map(({ file }) => file))
  const portraits: Portrait[] = []
  for (const file of files) {
    const image = await sharp(readFileSync(file)).rotate().jpeg().toBuffer()
    const picture = await decode(image)
    const [largest] = await finder.find(picture, { small: false })
    if (!largest) throw new Error(`no face in ${file}`)
    portraits.push({ image, face: scaled(largest.box, picture.scale) })
  }
  return portraits
}

/** Arranges twelve portraits in 1920 by 1080 pixels, scaled to faces that are `size` pixels wide. */
export async function montageOf(portraits: readonly Portrait[], size: number): Promise<Montage> {
  const parts = await Promise.all(
    portraits.map(async ({ image, face }, index) => {
      const by = size / face.width
      const { data, info } = await sharp(image)
        .resize(Math.round((await sharp(image).metadata()).width * by))
        .toBuffer({ resolveWithObject: true })
      const visible = {
        width: Math.min(info.width, cell.width - 2 * margin),
        height: Math.min(info.height, cell.height - 2 * margin),
      }
      const small = scaled(face, by)
      const start = (centre: number, part: number, whole: number) =>
        Math.round(Math.max(0, Math.min(whole - part, centre - part / 2)))
      const from = {
        left: start(small.left + small.width / 2, visible.width, info.width),
        top: start(small.top + small.height / 2, visible.height, info.height),
      }
      const left = (index % columns) * cell.width + margin
      const top = Math.floor(index / columns) * cell.height + margin
      const input = await sharp(data)
        .extract({ ...from, ...visible })
        .toBuffer()
      const box = { ...small, left: left + small.left - from.left, top: top + small.top - from.top }
      return { layer: { input, left, top }, box }
    }),
  )
  const image = await sharp({ create: { width, height, channels: 3, background: '#777' } })
    .composite(parts.map(({ layer }) => layer))
    .jpeg({ quality: 92 })
    .toBuffer()
  return { image, faces: parts.map(({ box }) => box) }
}

const scaled = (box: Box, by: number): Box => ({
  left: box.left * by,
  top: box.top * by,
  width: box.width * by,
  height: box.height * by,
})
