import { type Html, html } from '@icosa/pages'

export interface Dates {
  readonly day: (moment: Date) => Html
  readonly time: (moment: Date) => Html
}

/** Formats dates in the time zone of the profile, or UTC. */
export function datesIn(zone: string | undefined): Dates {
  const timeZone = zone && isZone(zone) ? zone : 'UTC'
  const days = { day: 'numeric', month: 'short', year: 'numeric', timeZone } as const
  const day = new Intl.DateTimeFormat('en-GB', days)
  const time = new Intl.DateTimeFormat('en-GB', {
    ...days,
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  const formatter = (format: Intl.DateTimeFormat) => (moment: Date) =>
    html`<time datetime="${moment.toISOString()}">${format.format(moment)}</time>`
  return { day: formatter(day), time: formatter(time) }
}

function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en-GB', { timeZone: zone }))
  } catch {
    return false
  }
}
