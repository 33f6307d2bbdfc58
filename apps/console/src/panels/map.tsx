import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

interface Point {
  readonly latitude: number
  readonly longitude: number
  readonly label: string
}

/** Distances between lines of the graticule, in degrees. */
const steps = [30, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01]
const width = 400
const minSpan = 0.02

function pointsOf(reader: Reader): Point[] {
  const all = reader.rows('points').map((row) => ({
    latitude: reader.of(row, 'latitude'),
    longitude: reader.of(row, 'longitude'),
    label: textOf(reader.of(row, 'label')),
  }))
  return all.filter(
    (point): point is Point => typeof point.latitude === 'number' && typeof point.longitude === 'number',
  )
}

/** The rectangle around all points, with a margin. Distances are right in its middle. */
function frameOf(points: readonly Point[]) {
  const [south, north] = around(points.map(({ latitude }) => latitude))
  const [west, east] = around(points.map(({ longitude }) => longitude))
  const scale = width / (east - west)
  const stretch = 1 / Math.max(0.2, Math.cos(((south + north) / 2) * (Math.PI / 180)))
  const height = Math.max(width / 3, Math.min(width * 1.5, (north - south) * scale * stretch))
  const step = steps.find((one) => (east - west) / one >= 3) ?? minSpan / 4
  return {
    height,
    x: (longitude: number) => (longitude - west) * scale,
    y: (latitude: number) => height - ((latitude - south) / (north - south)) * height,
    meridians: multiples(step, west, east),
    parallels: multiples(step, south, north),
  }
}

function around(values: readonly number[]): [number, number] {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  const margin = Math.max((max - min) * 0.15, minSpan)
  return [min - margin, max + margin]
}

const multiples = (step: number, from: number, to: number) =>
  Array.from(
    { length: Math.floor(to / step) - Math.ceil(from / step) + 1 },
    (_, index) => (Math.ceil(from / step) + index) * step,
  )

const degrees = (value: number, [positive, negative]: readonly [string, string]) =>
  `${Math.round(Math.abs(value) * 100) / 100}° ${value < 0 ? negative : positive}`

/** Points on a graticule, without a map beneath: those come from other servers, which the page does not ask. */
export default function Graticule({ reader }: { readonly reader: Reader }) {
  const points = pointsOf(reader)
  if (points.length === 0) return <p className="muted">Nothing here has a place.</p>
  const { height, x, y, meridians, parallels } = frameOf(points)
  return (
    <>
      <svg className="map" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${points.length} places`}>
        {meridians.map((one) => (
          <g key={one}>
            <line x1={x(one)} x2={x(one)} y1="0" y2={height} />
            <text x={x(one) + 3} y={height - 4}>
              {degrees(one, ['E', 'W'])}
            </text>
          </g>
        ))}
        {parallels.map((one) => (
          <g key={one}>
            <line x1="0" x2={width} y1={y(one)} y2={y(one)} />
            <text x="3" y={y(one) - 3}>
              {degrees(one, ['N', 'S'])}
            </text>
          </g>
        ))}
        {points.map(({ latitude, longitude, label }, index) => (
          <g key={index}>
            <circle cx={x(longitude)} cy={y(latitude)} r="5" />
            <title>{label}</title>
          </g>
        ))}
      </svg>
      <ul className="legend">
        {points.map(({ latitude, longitude, label }, index) => (
          <li key={index}>
            {label}{' '}
            <span className="muted">
              {degrees(latitude, ['N', 'S'])}, {degrees(longitude, ['E', 'W'])}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
