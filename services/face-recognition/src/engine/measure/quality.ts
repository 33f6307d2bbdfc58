/** How good a picture of a face is, from its chip: each value from 0 to 1. */
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
  // The middle half of the chip is face; around it are hair, ears and whatever is behind them.
  const [from, to] = [Math.round(side * 0.2), Math.round(side * 0.8)]
  return {
    exposure: rounded(meanOf(grey, side, from, to) / 255),
    blur: rounded(blurOf(grey, side, from, to)),
    noise: rounded(noiseOf(grey, side, from, to) / noisiest),
  }
}

/** A standard deviation of so many levels of grey is as noisy as it gets. */
const noisiest = 20

const rounded = (value: number) => Math.round(100 * Math.min(1, Math.max(0, value))) / 100

function meanOf(grey: Float32Array, side: number, from: number, to: number): number {
  let sum = 0
  for (let y = from; y < to; y++) for (let x = from; x < to; x++) sum += grey[y * side + x] as number
  return sum / (to - from) ** 2
}

/**
 * How little is lost when the picture is blurred once more (Crété-Roffet and others, 2007): what is sharp has differences
 * between neighbours that a blur takes away, what is blurred has hardly any left.
 */
function blurOf(grey: Float32Array, side: number, from: number, to: number): number {
  const reach = 4
  const lost = (step: number) => {
    let [before, gone] = [0, 0]
    for (let y = from; y < to; y++)
      for (let x = from; x < to; x++) {
        const at = y * side + x
        const meanAt = (place: number) => {
          let sum = 0
          for (let k = -reach; k <= reach; k++) sum += grey[place + k * step] as number
          return sum / (2 * reach + 1)
        }
        const sharp = Math.abs((grey[at] as number) - (grey[at - step] as number))
        before += sharp
        gone += Math.max(0, sharp - Math.abs(meanAt(at) - meanAt(at - step)))
      }
    return before === 0 ? 1 : (before - gone) / before
  }
  // Even a sharp face keeps a third, and one that is blurred beyond use three quarters.
  return (Math.max(lost(1), lost(side)) - 0.33) / 0.42
}

/** The standard deviation of what is no structure (Immerkær, 1996): edges and slopes cancel out in the sum. */
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
