const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Local time, as milliseconds without a UTC offset. */
export type LocalMs = number

/** A time zone. */
export interface Zone {
  toLocal(instantMs: number): LocalMs
  /**
   * Returns the instant of a local time: the DST change if it is skipped, the first one if it occurs twice.
   */
  toInstant(local: LocalMs): number
}

const zones = new Map<string, Zone>()
const maxZones = 1_000

/** `Europe/Berlin`, `UTC` or `+01:00`. Throws a RangeError if there is no such zone. */
export function zoneOf(name: string): Zone {
  const cached = zones.get(name)
  if (cached) return cached
  const zone = createZone(offsets(name))
  if (zones.size >= maxZones) zones.clear()
  zones.set(name, zone)
  return zone
}

function createZone(offsetAt: (instantMs: number) => number): Zone {
  return {
    toLocal: (instantMs) => instantMs + offsetAt(instantMs),
    toInstant(local) {
      // Offsets are less than a day, so these are the offsets before and after a nearby change.
      const before = offsetAt(local - dayMs)
      const after = offsetAt(local + dayMs)
      const instants = [local - before, local - after].filter((instant) => instant + offsetAt(instant) === local)
      return instants.length > 0 ? Math.min(...instants) : jump(local - after, local - before, offsetAt)
    },
  }
}

/** Returns the first instant after `from`, up to `to`, with another offset. */
function jump(from: number, to: number, offsetAt: (instantMs: number) => number): number {
  const start = offsetAt(from)
  let [low, high] = [from, to]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle) === start) low = middle
    else high = middle
  }
  return high
}

/** Offsets change only at quarters of an hour, so the slow formatter is called once per quarter. */
const quarterMs = 15 * minuteMs
const maxQuarters = 20_000

function offsets(name: string): (instantMs: number) => number {
  if (name === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const cache = new Map<number, number>()
  return (instantMs) => {
    const quarter = Math.floor(instantMs / quarterMs)
    let offset = cache.get(quarter)
    if (offset === undefined) {
      if (cache.size >= maxQuarters) cache.clear()
      offset = offsetIn(format.format(quarter * quarterMs))
      cache.set(quarter, offset)
    }
    return offset
  }
}

/** Parses `3/29/2026, GMT+01:00`, or `GMT` alone. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text) ?? []
  if (sign === undefined) return 0
  const size = Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}
