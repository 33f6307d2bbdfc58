/** Image quality of a face chip, values from 0 to 1. */
export interface Quality {
  readonly blur: number
  readonly exposure: number
  readonly noise: number
}

export function qualityOf(chip: Uint8Array, side: number): Quality {
  const grey = new Float32Array(side * side)
  for (let i = 0; i < grey.length; i++)
    grey[i] =
      0.299 * (chip[3 * i] as number) + 0.587 * (chip[3 * i + 1] as number) + 0.114 * (chip[3 * i + 2] as number)
  // The centre of the chip is face; around it are hair, ears and background.
  const [from, to] = [Math.round(side * 0.2), Math.round(side * 0.8)]
  return {
    exposure: rounded(meanOf(grey, side, from, to) / 255),
    blur: rounded(blurOf(grey, side, from, to)),
    noise: rounded(noiseOf(grey, side, from, to) / maxNoise),
  }
}

/** Standard deviation, in levels of grey, at which noise is 1. */
const maxNoise = 20

const rounded = (value: number) => Math.round(100 * Math.min(1, Math.max(0, value))) / 100

function meanOf(grey: Float32Array, side: number, from: number, to: number): number {
  let sum = 0
  for (let y = from; y < to; y++) for (let x = from; x < to; x++) sum += grey[y * side + x] as number
  return sum / (to - from) ** 2
}

/**
 * Compares the picture with a blurred copy (Crété-Roffet et al., 2007): blurring removes differences between neighbours
 * from a sharp picture, and hardly any from a blurred one.
 */
function blurOf(grey: Float32Array, side: number, from: number, to: number): number {
  const reach = 4
  const remaining = (step: number) => {
    let [before, loss] = [0, 0]
    for (let y = from; y < to; y++)
      for (let x = from; x < to; x++) {
        const at = y * side + x
        const meanAt = (index: number) => {
          let sum = 0
          for (let k = -reach; k <= reach; k++) sum += grey[index + k * step] as number
          return sum / (2 * reach + 1)
        }
        const sharp = Math.abs((grey[at] as number) - (grey[at - step] as number))
        before += sharp
        loss += Math.max(0, sharp - Math.abs(meanAt(at) - meanAt(at - step)))
      }
    return before === 0 ? 1 : (before - loss) / before
  }
  // A sharp face keeps a third, an unusably blurred one three quarters.
  return (Math.max(remaining(1), remaining(side)) - 0.33) / 0.42
}

/** Standard deviation of the noise (Immerkær, 1996): edges and slopes cancel out in the sum. */
function noiseOf(grey: Float32Array, side: number, from: number, to: number): number {
  let sum = 0
  for (let y = from; y < to; y++)
    for (let x = from; x < to; x++) {
      const at = (dx: number, dy: number) => grey[(y + dy) * side + x + dx] as number
      const corners = at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1)
      const edges = at(0, -1) + at(-1, 0) + at(1, 0) + at(0, 1)
      sum += Math.abs(corners - 2 * edges + 4 * at(0, 0))
    }
  return (Math.sqrt(Math.PI / 2) * sum) / (6 * (to - from) ** 2)
}
