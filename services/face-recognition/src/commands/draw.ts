import type { Face } from '../engine/analysis.ts'

type Colour = readonly [red: number, green: number, blue: number]
const boxColour: Colour = [0, 220, 90]
const pointColour: Colour = [255, 200, 0]

/** Draws a box around each face and a dot on each of its landmarks, in the upright photo. */
export async function drawFaces(photo: Uint8Array, faces: readonly Face[]): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const { data, info } = await sharp(photo)
    .rotate()
    .flatten()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const thickness = Math.max(2, Math.round(Math.max(width, height) / 400))
  const paint = (left: number, top: number, right: number, bottom: number, colour: Colour) => {
    for (let y = Math.max(0, top); y < Math.min(height, bottom); y++)
      for (let x = Math.max(0, left); x < Math.min(width, right); x++) data.set(colour, (y * width + x) * 3)
  }
  for (const { box, landmarks } of faces) {
    const { left, top } = box
    const [right, bottom] = [left + box.width, top + box.height]
    paint(left, top, right, top + thickness, boxColour)
    paint(left, bottom - thickness, right, bottom, boxColour)
    paint(left, top, left + thickness, bottom, boxColour)
    paint(right - thickness, top, right, bottom, boxColour)
    for (const { x, y } of Object.values(landmarks ?? {})) {
      const [u, v] = [Math.round(x), Math.round(y)]
      paint(u - thickness, v - thickness, u + thickness, v + thickness, pointColour)
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
