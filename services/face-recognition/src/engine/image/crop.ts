import type { Picture } from './picture.ts'
import type { Similarity } from './similarity.ts'

/** Crops a square of `side` pixels; outside the picture it is black. */
export function crop(picture: Picture, side: number, map: Similarity): Uint8Array {
  const reduction = Math.round(Math.hypot(map.cos, map.sin))
  return reduction > 1 ? supersampled(picture, side, map, Math.min(reduction, 3)) : interpolated(picture, side, map)
}

/** Bilinear interpolation. */
function interpolated({ rgb, width, height }: Picture, side: number, { cos, sin, x: x0, y: y0 }: Similarity) {
  const target = new Uint8Array(side * side * 3)
  for (let v = 0, to = 0; v < side; v++) {
    for (let u = 0; u < side; u++, to += 3) {
      const x = cos * u - sin * v + x0
      const y = sin * u + cos * v + y0
      if (!(x >= 0 && y >= 0 && x <= width - 1 && y <= height - 1)) continue
      const left = x | 0
      const top = y | 0
      const right = x - left
      const down = y - top
      const at = (top * width + left) * 3
      const next = left + 1 < width ? 3 : 0
      const below = top + 1 < height ? width * 3 : 0
      for (let c = at; c < at + 3; c++) {
        const upper = (rgb[c] as number) * (1 - right) + (rgb[c + next] as number) * right
        const lower = (rgb[c + below] as number) * (1 - right) + (rgb[c + below + next] as number) * right
        target[to + c - at] = upper * (1 - down) + lower * down + 0.5
      }
    }
  }
  return target
}

/** Supersampling, since shrinking by interpolation alone would alias. */
function supersampled(picture: Picture, side: number, { cos, sin, x: x0, y: y0 }: Similarity, grid: number) {
  const { rgb, width, height } = picture
  const target = new Uint8Array(side * side * 3)
  const share = 1 / (grid * grid)
  const step = 1 / grid
  const first = step / 2 - 0.5
  for (let v = 0, to = 0; v < side; v++) {
    for (let u = 0; u < side; u++, to += 3) {
      let red = 0
      let green = 0
      let blue = 0
      for (let j = 0, down = v + first; j < grid; j++, down += step) {
        let x = cos * (u + first) - sin * down + x0 + 0.5
        let y = sin * (u + first) + cos * down + y0 + 0.5
        for (let i = 0; i < grid; i++, x += cos * step, y += sin * step) {
          if (!(x >= 0 && y >= 0 && x < width && y < height)) continue
          const at = ((y | 0) * width + (x | 0)) * 3
          red += rgb[at] as number
          green += rgb[at + 1] as number
          blue += rgb[at + 2] as number
        }
      }
      target[to] = red * share + 0.5
      target[to + 1] = green * share + 0.5
      target[to + 2] = blue * share + 0.5
    }
  }
  return target
}

export function mirrored(rgb: Uint8Array, side: number): Uint8Array {
  const target = new Uint8Array(rgb.length)
  for (let y = 0, from = 0; y < side; y++)
    for (let to = ((y + 1) * side - 1) * 3, x = 0; x < side; x++, from += 3, to -= 3) {
      target[to] = rgb[from] as number
      target[to + 1] = rgb[from + 1] as number
      target[to + 2] = rgb[from + 2] as number
    }
  return target
}
