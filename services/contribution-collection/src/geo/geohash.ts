const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz'

export interface Point {
  readonly latitude: number
  readonly longitude: number
}

export interface Box {
  readonly south: number
  readonly west: number
  readonly north: number
  readonly east: number
}

export function geohashOf({ latitude, longitude }: Point, length: number): string {
  let [south, north, west, east] = [-90, 90, -180, 180]
  let hash = ''
  let isLongitude = true
  for (let character = 0; character < length; character++) {
    let bits = 0
    for (let bit = 0; bit < 5; bit++) {
      bits *= 2
      if (isLongitude) {
        const middle = (west + east) / 2
        if (longitude >= middle) [bits, west] = [bits + 1, middle]
        else east = middle
      } else {
        const middle = (south + north) / 2
        if (latitude >= middle) [bits, south] = [bits + 1, middle]
        else north = middle
      }
      isLongitude = !isLongitude
    }
    hash += alphabet[bits]
  }
  return hash
}

/** Bounding box of a geohash. */
export function boxOf(hash: string): Box {
  let [south, north, west, east] = [-90, 90, -180, 180]
  let isLongitude = true
  for (const character of hash) {
    const bits = alphabet.indexOf(character)
    for (let bit = 4; bit >= 0; bit--) {
      const isUpper = ((bits >> bit) & 1) === 1
      if (isLongitude) {
        const middle = (west + east) / 2
        if (isUpper) west = middle
        else east = middle
      } else {
        const middle = (south + north) / 2
        if (isUpper) south = middle
        else north = middle
      }
      isLongitude = !isLongitude
    }
  }
  return { south, west, north, east }
}

export function centreOf(hash: string): Point {
  const { south, west, north, east } = boxOf(hash)
  return { latitude: (south + north) / 2, longitude: (west + east) / 2 }
}

/** Exclusive upper bound of texts with a prefix. After z, the last of the alphabet, comes {. */
export const after = (prefix: string) =>
  prefix.slice(0, -1) + String.fromCharCode((prefix.at(-1) as string).charCodeAt(0) + 1)
