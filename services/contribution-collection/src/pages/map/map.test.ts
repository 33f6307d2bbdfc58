import { expect, test } from 'vitest'
import { boxOf, mapSvg, placeAt, viewOf, world } from './map.ts'

test('a point of the image maps to the place drawn there, at every zoom and at the edges', () => {
  for (let round = 0; round < 500; round++) {
    const place = { latitude: Math.random() * 180 - 90, longitude: Math.random() * 360 - 180 }
    const view = { ...place, zoom: 4 ** Math.floor(Math.random() * 4) }
    const { x, y, width, height } = boxOf(view)
    expect(Math.min(x, y, 360 - x - width, 180 - y - height)).toBeGreaterThanOrEqual(-1e-9)
    const mapped = placeAt(view, (place.longitude + 180 - x) / width, (90 - place.latitude - y) / height)
    expect(mapped.latitude).toBeCloseTo(place.latitude, 3)
    expect(mapped.longitude).toBeCloseTo(place.longitude, 3)
  }
})

test('every query yields a valid map, and no line crosses the world', () => {
  for (const query of [
    {},
    { lat: 'x', lng: '1e99', zoom: '-3' },
    { lat: '"><script>', zoom: 'NaN' },
    { zoom: '64', lat: ['1'] },
  ]) {
    const svg = mapSvg(viewOf(query))
    expect(svg).not.toMatch(/NaN|script|Infinity/)
    expect(svg).toMatch(/^<svg [^>]+viewBox="[\d. -]+"/)
  }
  const [, land = ''] = /<path d="([^"]+)" fill="#f4efe2"/.exec(mapSvg(world)) ?? []
  const steps = land.split(/[MZ]/).flatMap((ring) => {
    const xs = ring.split('L').map((point) => Number(point.split(' ')[0]))
    return xs.slice(1).map((x, index) => Math.abs(x - (xs[index] as number)))
  })
  expect(steps.length).toBeGreaterThan(4_000)
  expect(steps.filter((step) => step > 60)).toEqual([360]) // Antarctica at its pole, which is the edge
})
