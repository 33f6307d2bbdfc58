/** A place in PostgreSQL's log: how many bytes were written before it. */
export type Lsn = bigint

/** As PostgreSQL writes it: `16/B374D848`. */
export const toLsn = (text: string): Lsn => {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export const fromLsn = (lsn: Lsn): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`

/** Where the file begins that has this place in it. */
export const segmentOf = (lsn: Lsn, segmentBytes: number): Lsn => lsn - (lsn % BigInt(segmentBytes))

/** The name of a file of the log, by which PostgreSQL asks for it. */
export function segmentName(timeline: number, start: Lsn, segmentBytes: number): string {
  const perHigh = 0x1_0000_0000n / BigInt(segmentBytes)
  const number = start / BigInt(segmentBytes)
  const part = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0')
  return part(timeline) + part(number / perHigh) + part(number % perHigh)
}

const units: Readonly<Record<string, number>> = { B: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** What `SHOW wal_segment_size` says: `16MB`. */
export function readSize(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(\w+)$/.exec(text) ?? []
  const bytes = Number(number) * (units[unit] ?? Number.NaN)
  if (!Number.isInteger(bytes)) throw new Error(`'${text}' is not a size.`)
  return bytes
}
