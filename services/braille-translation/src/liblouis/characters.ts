import { type OpenTable, UNDEFINED } from './binding.ts'

/** Stands for a character that cannot be written; control characters are gone by then, so it means nothing else. */
export const UNWRITABLE = '\0'

const ODD = /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\xad\ufeff\ufff9-\ufffb]|[\u0300-\u036f]/u
// What has no shape in print has none in braille. Some tables would write a soft hyphen, and spell a byte order mark.
const SHAPELESS = /[[\p{Cc}--[\t]]\xad\ufeff]/gv
// Tables use private and annotation characters for their own bookkeeping: from outside they must not reach them.
const MEANINGLESS = /[\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu
const ACCENTED = /\P{M}[\u0300-\u036f]+/gu
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u

/** A line without what no table should see, and with letters and accents joined as tables know them. */
export function cleaned(line: string): string {
  if (!ODD.test(line)) return line
  return line
    .replace(SHAPELESS, '')
    .replace(MEANINGLESS, '\ufffd')
    .replace(ACCENTED, (letter) => letter.normalize('NFC'))
}

export interface Speller {
  /** The text in characters that the table can write, `UNWRITABLE` where there are none. */
  spell(text: string): string
  /** The characters that lost something on the way: unwritable, or written without their accents. */
  readonly replaced: ReadonlySet<string>
}

/** Asks the table about every character once, so it is only worth its cost for text that came out with `UNDEFINED`. */
export function speller(table: OpenTable): Speller {
  const spellings = new Map<string, string>()
  const replaced = new Set<string>()
  const writes = (text: string) => !table.forward(text).includes(UNDEFINED)

  function spellingOf(character: string): string {
    const faithful = [character, ...equivalents(character)].find(writes)
    if (faithful !== undefined) return faithful
    replaced.add(character)
    const bare = character.normalize('NFKD').replace(/\p{M}+/gu, '')
    return bare !== '' && writes(bare) ? bare : UNWRITABLE
  }

  return {
    replaced,
    spell(text) {
      let spelled = ''
      for (const character of text) {
        let spelling = spellings.get(character)
        if (spelling === undefined) {
          spelling = spellingOf(character)
          spellings.set(character, spelling)
        }
        spelled += spelling
      }
      return spelled
    },
  }
}

function equivalents(character: string): string[] {
  if (/^\s$/u.test(character)) return [' ', '\u2800']
  if (IGNORABLE.test(character)) return ['']
  return [character.normalize('NFKC'), character.normalize('NFKD')]
}
