import { Failure } from '@icosa/kernel'
import { MOST_CELLS, MOST_CHARACTERS, type OpenTable, UNDEFINED } from './binding.ts'
import { cleaned, speller, UNWRITABLE } from './characters.ts'
import { computerBrailleSwitch } from './computer-braille.ts'
import { cellPieces, lines, textPieces } from './pieces.ts'
import { DEFAULT_TABLE, openBackwardTable, openTable, pathOf } from './tables.ts'

export interface Translation {
  /** Braille characters U+2800 to U+28FF, with CR LF between lines. */
  readonly cells: string
  /** The characters of the text that the table cannot write: a mark with its code stands for each, or its bare letter. */
  readonly replaced: readonly string[]
}

// Six full dots are a word in English and a letter elsewhere; with eight they are nothing that anybody writes.
const FULL_CELL = '\u28ff'
const NOT_BRAILLE = /[^\u2800-\u28ff ]/u
const AT_UNWRITABLE = /(\0)/
// To some tables the invisible characters and the blank cell are spaces too.
const BETWEEN_WORDS = /([\0\s\p{Cf}\u2800])/u
const ESCAPED_DOTS = /\\\d+\//g

export function translate(text: string, tableId: string = DEFAULT_TABLE): Translation {
  const table = openTable(tableId)
  const spaced = joinsNumbers(table) ? withNumbersApart : (line: string) => line
  const writer = tableWriter(table, computerBrailleSwitch(pathOf(tableId)))
  const cells = lines(text)
    .map((line) =>
      textPieces(spaced(cleaned(line)), MOST_CHARACTERS)
        .map(writer.write)
        .join(''),
    )
    .join('\r\n')
  return { cells, replaced: [...writer.replaced] }
}

/** Whether the table takes a space between digits for one inside a number, as Unified English Braille of liblouis 3.24 does. */
const joinsNumbers = (table: OpenTable) => !table.forward('1 2').includes('\u2800')

/**
 * Only a no-break space groups digits (liblouis pull request 1509); other spaces stand between two numbers. A tab is a
 * blank cell too, and to the table no space inside a number.
 */
const withNumbersApart = (line: string) => line.replace(/(?<=\d) (?=\d)/g, '\t').replace(/(?<=\d)\u00a0(?=\d)/g, ' ')

export function backTranslate(cells: string, tableId: string = DEFAULT_TABLE): string {
  const table = openBackwardTable(tableId)
  return lines(cells)
    .map((line) => {
      const stranger = NOT_BRAILLE.exec(line)?.[0]
      if (stranger !== undefined) {
        throw new Failure(
          'invalid',
          `'${stranger}' is not braille: write cells as U+2800 to U+28FF, spaces and line breaks.`,
        )
      }
      const pieces = cellPieces(line.replaceAll(' ', '\u2800'), MOST_CELLS)
      return pieces.map((piece) => readable(piece, table)).join('')
    })
    .join('\n')
}

/** Cells without a meaning come out as `\456/`. Text may say that too, so the two ways of asking are compared. */
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
      .map((part) => (part === UNWRITABLE ? FULL_CELL : textPieces(part, MOST_CHARACTERS).map(table.forward).join('')))
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
