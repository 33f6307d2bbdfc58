const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** A time of day somewhere: milliseconds as if that place had no offset from UTC. */
export type LocalMs = number

/** The clocks of one place. */
export interface Zone {
  toLocal(instantMs: number): LocalMs
  /**
   * When clocks show a time. If they skip it, the moment at which they jump over it; if they show it twice, the first.
   */
  toInstant(local: LocalMs): number
}

const zones = new Map<string, Zone>()
const zonesLimit = 1_000

/** `Europe/Berlin`, `UTC` or `+01:00`. Throws a RangeError if there is no such zone. */
export function zoneOf(name: string): Zone {
  const known = zones.get(name)
  if (known) return known
  const zone = makeZone(offsets(name))
  if (zones.size >= zonesLimit) zones.clear()
  zones.set(name, zone)
  return zone
}

function makeZone(offsetAt: (instantMs: number) => number): Zone {
  return {
    toLocal: (instantMs) => instantMs + offsetAt(instantMs),
    toInstant(local) {
      // No zone is more than a day away from UTC, so these are the offsets before and after any change near by.
      const before = offsetAt(local - dayMs)
      const after = offsetAt(local + dayMs)
      const found = [local - before, local - after].filter((instant) => instant + offsetAt(instant) === local)
      return found.length > 0 ? Math.min(...found) : jump(local - after, local - before, offsetAt)
    },
  }
}

/** The first moment after `from`, up to `to`, with another offset. */
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

/** Clocks change at quarters of an hour: between two of them the formatter, which is slow, is asked once. */
const quarterMs = 15 * minuteMs
const quartersLimit = 20_000

function offsets(name: string): (instantMs: number) => number {
  if (name === 'UTC') return () => 0
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  const known = new Map<number, number>()
  return (instantMs) => {
    const quarter = Math.floor(instantMs / quarterMs)
    let offset = known.get(quarter)
    if (offset === undefined) {
      if (known.size >= quartersLimit) known.clear()
      offset = parsed(format.format(quarter * quarterMs))
      known.set(quarter, offset)
    }
    return offset
  }
}

/** From `3/29/2026, GMT+01:00`, or `GMT` alone. */
function parsed(text: string): number {
  const [, sign, hours, minutes, seconds = '0'] = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text) ?? []
  if (sign === undefined) return 0
  const size = Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds) * 1_000
  return sign === '-' ? -size : size
}
