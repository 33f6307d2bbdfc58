import { Failure } from '@icosa/kernel'
import { MAX_CELLS, MAX_CHARACTERS, type OpenTable, UNDEFINED } from './binding.ts'
import { cleaned, speller, UNWRITABLE } from './characters.ts'
import { computerBrailleSwitch } from './computer-braille.ts'
import { cellPieces, lines, textPieces } from './pieces.ts'
import { DEFAULT_TABLE, openBackwardTable, openTable, pathOf } from './tables.ts'

export interface Translation {
  /** Braille characters U+2800 to U+28FF, with CR LF between lines. */
  readonly cells: string
  /** Characters that the table cannot write, replaced with a mark that contains their code, or with their base letter. */
  readonly replaced: readonly string[]
}

// Six full dots are a word in English and a letter elsewhere; a cell with all eight occurs in no text.
const FULL_CELL = '\u28ff'
const NOT_BRAILLE = /[^\u2800-\u28ff ]/u
const AT_UNWRITABLE = /(\0)/
// Some tables treat invisible characters and the blank cell as spaces, too.
const BETWEEN_WORDS = /([\0\s\p{Cf}\u2800])/u
const ESCAPED_DOTS = /\\\d+\//g

export function translate(text: string, tableId: string = DEFAULT_TABLE): Translation {
  const table = openTable(tableId)
  const spaced = joinsNumbers(table) ? withNumbersApart : (line: string) => line
  const writer = tableWriter(table, computerBrailleSwitch(pathOf(tableId)))
  const cells = lines(text)
    .map((line) =>
      textPieces(spaced(cleaned(line)), MAX_CHARACTERS)
        .map(writer.write)
        .join(''),
    )
    .join('\r\n')
  return { cells, replaced: [...writer.replaced] }
}

/** Whether the table treats a space between digits as part of a number, as Unified English Braille of liblouis 3.24 does. */
const joinsNumbers = (table: OpenTable) => !table.forward('1 2').includes('\u2800')

/**
 * Only a no-break space groups digits (liblouis pull request 1509); other spaces separate two numbers. A tab is also a
 * blank cell, but never part of a number.
 */
const withNumbersApart = (line: string) => line.replace(/(?<=\d) (?=\d)/g, '\t').replace(/(?<=\d)\u00a0(?=\d)/g, ' ')

export function backTranslate(cells: string, tableId: string = DEFAULT_TABLE): string {
  const table = openBackwardTable(tableId)
  return lines(cells)
    .map((line) => {
      const invalid = NOT_BRAILLE.exec(line)?.[0]
      if (invalid !== undefined) {
        throw new Failure(
          'invalid',
          `'${invalid}' is not braille: write cells as U+2800 to U+28FF, spaces and line breaks.`,
        )
      }
      const pieces = cellPieces(line.replaceAll(' ', '\u2800'), MAX_CELLS)
      return pieces.map((piece) => readable(piece, table)).join('')
    })
    .join('\n')
}

/** liblouis writes undefined cells as `\456/`. Text may contain that, too, so the result is compared with the one that omits them. */
function readable(cells: string, table: OpenTable): string {
  const text = table.backward(cells, 'escaped')
  if (text.search(ESCAPED_DOTS) === -1 || text === table.backward(cells, 'omitted')) return text
  return text.replace(ESCAPED_DOTS, '\ufffd')
}

function tableWriter(table: OpenTable, switches: RegExp | undefined) {
  const { spell, replaced } = speller(table)

  function writeApart(text: string, separators: RegExp): string {
    return text
      .split(separators)
      .map((part) => (part === UNWRITABLE ? FULL_CELL : textPieces(part, MAX_CHARACTERS).map(table.forward).join('')))
      .join('')
      .replaceAll(UNDEFINED, FULL_CELL)
  }

  function write(piece: string): string {
    if (switches?.test(piece)) return writeApart(spell(piece), BETWEEN_WORDS)
    const cells = table.forward(piece)
    if (!cells.includes(UNDEFINED)) return cells
    const spelled = spell(piece)
    return writeApart(spelled, switches?.test(spelled) ? BETWEEN_WORDS : AT_UNWRITABLE)
  }

  return { write, replaced }
}
