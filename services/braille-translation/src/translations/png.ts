import { crc32, deflateSync } from 'node:zlib'
import { Failure } from '@icosa/kernel'

// Four pixels to the millimetre of braille on paper: dots 2.5 mm apart, cells 6 mm, lines 10 mm.
export const DOT_PITCH = 10
export const CELL_WIDTH = 24
export const LEFT = (CELL_WIDTH - DOT_PITCH) / 2
export const TOP = 10
export const CELLS_PER_LINE = 40
export const MAX_LINES = 250

export const RAISED = 0
export const FLAT = 176
export const PAPER = 255

const RAISED_RADIUS = 3.5
const FLAT_RADIUS = 1
const BLANK = 0x2800

export interface Picture {
  readonly png: Buffer
  readonly width: number
  readonly height: number
  /** 3 rows of dots in a cell, or 4 where a cell of the text uses dots 7 and 8. */
  readonly rows: number
  /** The cells after wrapping. */
  readonly lines: readonly string[]
}

/** Draws cells as in print for sighted readers: raised dots black, flat ones faint so they can be counted. */
export function picture(cells: string, rows: number = rowsOf(cells)): Picture {
  const lines = cells.split(/\r\n|[\r\n]/).flatMap(wrapped)
  if (lines.length > MAX_LINES) {
    throw new Failure(
      'tooLarge',
      `A picture has at most ${MAX_LINES} lines of ${CELLS_PER_LINE} cells: translate the text in parts, or as characters.`,
    )
  }
  const width = CELL_WIDTH * Math.max(1, ...lines.map((line) => line.length))
  const height = lineHeight(rows) * lines.length
  // Each row of pixels starts with the number of its filter: 0, none.
  const pixels = Buffer.alloc((width + 1) * height, PAPER)
  for (let y = 0; y < height; y++) pixels[y * (width + 1)] = 0
  lines.forEach((line, lineAt) => {
    for (let column = 0; column < line.length; column++) {
      const raised = line.charCodeAt(column) - BLANK
      for (let dot = 1; dot <= 2 * rows; dot++) {
        const [x, y] = dotCentre(column, lineAt, dot, rows)
        stamp(pixels, width, x, y, raised & (1 << (dot - 1)) ? RAISED_STAMP : FLAT_STAMP)
      }
    }
  })
  return { png: encode(width, height, pixels), width, height, rows, lines }
}

export function rowsOf(cells: string): number {
  return /[\u2840-\u28ff]/.test(cells) ? 4 : 3
}

export function lineHeight(rows: number): number {
  return 2 * TOP + (rows - 1) * DOT_PITCH
}

/** Dots 1 2 3 7 are in the left column of a cell, 4 5 6 8 in the right one. */
export function dotCentre(column: number, line: number, dot: number, rows: number): [x: number, y: number] {
  const right = dot === 8 || (dot >= 4 && dot <= 6)
  const row = dot >= 7 ? 3 : (dot - 1) % 3
  return [column * CELL_WIDTH + LEFT + (right ? DOT_PITCH : 0), line * lineHeight(rows) + TOP + row * DOT_PITCH]
}

function wrapped(line: string): string[] {
  const lines: string[] = []
  let remaining = line
  while (remaining.length > CELLS_PER_LINE) {
    // The blank at which a line breaks is not drawn.
    const blank = remaining.lastIndexOf('\u2800', CELLS_PER_LINE)
    const end = blank > 0 ? blank : CELLS_PER_LINE
    lines.push(remaining.slice(0, end))
    remaining = remaining.slice(blank > 0 ? end + 1 : end)
  }
  return [...lines, remaining]
}

type Stamp = readonly { readonly x: number; readonly y: number; readonly grey: number }[]
const RAISED_STAMP = disc(RAISED_RADIUS, RAISED)
const FLAT_STAMP = disc(FLAT_RADIUS, FLAT)

/** An antialiased disc. */
function disc(radius: number, grey: number): Stamp {
  const reach = Math.ceil(radius)
  const stamp = []
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const coverage = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x, y)))
      if (coverage > 0) stamp.push({ x, y, grey: Math.round(PAPER + (grey - PAPER) * coverage) })
    }
  }
  return stamp
}

function stamp(pixels: Buffer, width: number, x: number, y: number, shape: Stamp): void {
  for (const point of shape) pixels[(y + point.y) * (width + 1) + 1 + x + point.x] = point.grey
}

function encode(width: number, height: number, pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 8 // bits per pixel; the zeros that follow: greyscale, deflate, adaptive filters, not interlaced
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
