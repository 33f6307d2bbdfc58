import { landPath } from './land.ts'

/** A section of the world map, twice as wide as high. */
export interface View {
  readonly latitude: number
  readonly longitude: number
  /** 1 is the whole world, 4 a quarter of each side. */
  readonly zoom: number
}

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

export const world: View = { latitude: 0, longitude: 0, zoom: 1 }
export const maxZoom = 64

const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** The section in degrees east and south of the map's corner, moved inside the map. */
export function boxOf({ latitude, longitude, zoom }: View) {
  const [width, height] = [360 / zoom, 180 / zoom]
  return {
    x: within(longitude + 180 - width / 2, 0, 360 - width),
    y: within(90 - latitude - height / 2, 0, 180 - height),
    width,
    height,
  }
}

/** The place at a point of the image, given as fractions of its width and height. */
export function placeAt(view: View, across: number, down: number): Place {
  const { x, y, width, height } = boxOf(view)
  const round = (value: number) => Math.round(value * 1e4) / 1e4
  return {
    latitude: round(within(90 - (y + within(down, 0, 1) * height), -90, 90)),
    longitude: round(within(x + within(across, 0, 1) * width - 180, -180, 180)),
  }
}

export function viewOf(query: Readonly<Record<string, unknown>>): View {
  const number = (name: string, low: number, high: number, fallback: number) => {
    const value = Number(query[name] ?? fallback)
    return Number.isFinite(value) ? within(value, low, high) : fallback
  }
  return {
    latitude: number('lat', -90, 90, 0),
    longitude: number('lng', -180, 180, 0),
    zoom: number('zoom', 1, maxZoom, 1),
  }
}

const step = (width: number) => [30, 10, 5, 1].find((degrees) => width / degrees >= 6) ?? 1

/** Draws land, a labelled grid of degrees and an optional mark. */
export function mapSvg(view: View, mark?: Place): string {
  const { x, y, width, height } = boxOf(view)
  const every = step(width)
  const unit = width / 360
  const lines: string[] = []
  const labels: string[] = []
  for (let degree = Math.ceil(x / every) * every; degree <= x + width; degree += every) {
    lines.push(`M${degree} ${y}v${height}`)
    if (degree > x + 9 * unit)
      labels.push(label(degree + 2 * unit, y + height - 2 * unit, unit, degree - 180, 'E', 'W'))
  }
  for (let degree = Math.ceil(y / every) * every; degree <= y + height; degree += every) {
    lines.push(`M${x} ${degree}h${width}`)
    if (degree > y + 9 * unit && degree < y + height - 12 * unit)
      labels.push(label(x + 2 * unit, degree - 2 * unit, unit, 90 - degree, 'N', 'S'))
  }
  const pin = mark
    ? `<circle cx="${mark.longitude + 180}" cy="${90 - mark.latitude}" r="${6 * unit}" fill="#a3271c" stroke="#fff" stroke-width="${2 * unit}"/>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" width="720" height="360">
<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#d5e5ea"/>
<path d="${landPath()}" fill="#f4efe2" stroke="#6b7f7a" stroke-width="${0.7 * unit}" fill-rule="evenodd"/>
<path d="${lines.join('')}" fill="none" stroke="#9bb3b8" stroke-width="${0.4 * unit}"/>${labels.join('')}${pin}</svg>`
}

const label = (x: number, y: number, unit: number, degrees: number, positive: string, negative: string) =>
  `<text x="${x}" y="${y}" font-size="${8 * unit}" font-family="sans-serif" fill="#44575b">${Math.abs(degrees)}°${degrees === 0 ? '' : degrees > 0 ? positive : negative}</text>`
