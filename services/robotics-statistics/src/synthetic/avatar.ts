import { crc32, deflateSync } from 'node:zlib'
import { randomOf } from './random.ts'

const size = 40

/** Draws a symmetric identicon of a team, as PNG in base64. */
export function avatarOf(team: number): string {
  const random = randomOf(team, 99)
  const color = [random.below(200), random.below(200), random.below(200)]
  const cells = Array.from({ length: 25 }, (_, index) => (index % 5 < 3 ? random.chance(0.5) : false))
  const isFilled = (row: number, column: number) => cells[row * 5 + (column < 3 ? column : 4 - column)] === true
  const lines = Array.from({ length: size }, (_, y) => {
    const line = Buffer.alloc(1 + size * 3, 255)
    line[0] = 0
    for (let x = 0; x < size; x++)
      if (isFilled(Math.floor((y * 5) / size), Math.floor((x * 5) / size))) line.set(color, 1 + x * 3)
    return line
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(content.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
