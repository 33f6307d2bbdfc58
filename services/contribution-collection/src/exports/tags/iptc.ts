import { createHash } from 'node:crypto'
import { plainText } from '../../text/escaped.ts'
import { type Caption, countryName } from './caption.ts'

/** Truncates to a number of bytes at a character boundary. */
function upTo(value: string, maxBytes: number): Buffer {
  const bytes = Buffer.from(plainText(value))
  if (bytes.length <= maxBytes) return bytes
  let end = maxBytes
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

function dataSet(record: number, number: number, value: Buffer): Buffer {
  const head = Buffer.from([0x1c, record, number, 0, 0])
  head.writeUInt16BE(value.length, 3)
  return Buffer.concat([head, value])
}

/** Numbers and lengths as in IPTC-IIM 4.2, record 2. */
const application = (number: number, value: string, maxBytes: number) =>
  value === '' ? Buffer.alloc(0) : dataSet(2, number, upTo(value, maxBytes))

/** The data sets that picture desks read: headline, caption, credit and place. */
export function iptcOf({ headline, description, credit, created, place, country, id }: Caption): Buffer {
  const [day = '', time = ''] = created.toISOString().split('T')
  return Buffer.concat([
    dataSet(1, 90, Buffer.from('\x1b%G', 'latin1')), // UTF-8
    dataSet(2, 0, Buffer.from([0, 4])),
    application(5, headline, 64),
    application(55, day.replaceAll('-', ''), 8),
    application(60, `${time.slice(0, 8).replaceAll(':', '')}+0000`, 11),
    application(80, credit, 32),
    application(92, place, 32),
    application(101, countryName(country), 64), // the three-letter country code is unknown
    application(103, id, 32),
    application(105, headline, 256),
    application(110, credit, 32),
    application(120, description, 2_000),
  ])
}

/** Photoshop resources, which contain IPTC in a JPEG: the data sets and their digest. */
export function photoshopResources(iptc: Buffer): Buffer {
  return Buffer.concat([resource(0x0404, iptc), resource(0x0425, createHash('md5').update(iptc).digest())])
}

function resource(number: number, content: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.write('8BIM', 'latin1')
  head.writeUInt16BE(number, 4) // an empty name follows
  head.writeUInt32BE(content.length, 8)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
