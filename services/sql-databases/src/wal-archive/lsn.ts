/** Log sequence number: a byte offset in PostgreSQL's WAL. */
export type Lsn = bigint

/** Parses PostgreSQL's notation, such as `16/B374D848`. */
export const toLsn = (text: string): Lsn => {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

export const fromLsn = (lsn: Lsn): string =>
  `${(lsn >> 32n).toString(16).toUpperCase()}/${(lsn & 0xffff_ffffn).toString(16).toUpperCase()}`

/** Start of the WAL segment that contains an LSN. */
export const segmentOf = (lsn: Lsn, segmentBytes: number): Lsn => lsn - (lsn % BigInt(segmentBytes))

/** WAL segment file name. */
export function segmentName(timeline: number, start: Lsn, segmentBytes: number): string {
  const segmentsPerXlogId = 0x1_0000_0000n / BigInt(segmentBytes)
  const number = start / BigInt(segmentBytes)
  const hex = (value: bigint | number) => value.toString(16).toUpperCase().padStart(8, '0')
  return hex(timeline) + hex(number / segmentsPerXlogId) + hex(number % segmentsPerXlogId)
}

const units: Readonly<Record<string, number>> = { B: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }

/** Parses the result of `SHOW wal_segment_size`, such as `16MB`. */
export function parseSize(text: string): number {
  const [, number = '', unit = ''] = /^(\d+)(\w+)$/.exec(text) ?? []
  const bytes = Number(number) * (units[unit] ?? Number.NaN)
  if (!Number.isInteger(bytes)) throw new Error(`'${text}' is not a size.`)
  return bytes
}
