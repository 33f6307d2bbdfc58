import { type OpenTable, UNDEFINED } from './binding.ts'

/** Placeholder for a character that cannot even be marked; unambiguous, as control characters were removed before. */
export const UNWRITABLE = '\0'

const ODD = /[\p{Cc}\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\xad\ufeff\ufff9-\ufffb]|[\u0300-\u036f]/u
// Invisible characters are not written. Some tables would write a soft hyphen, and spell a byte order mark.
const SHAPELESS = /[[\p{Cc}--[\t]]\xad\ufeff]/gv
// Tables use private and annotation characters internally: callers must not be able to send them.
const MEANINGLESS = /[\p{Cs}\p{Co}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu
const ACCENTED = /\P{M}[\u0300-\u036f]+/gu
const IGNORABLE = /^\p{Default_Ignorable_Code_Point}$/u

/** Removes characters that tables do not handle, and composes letters with their accents. */
export function cleaned(line: string): string {
  if (!ODD.test(line)) return line
  return line
    .replace(SHAPELESS, '')
    .replace(MEANINGLESS, '\ufffd')
    .replace(ACCENTED, (letter) => letter.normalize('NFC'))
}

export interface Speller {
  /** Rewrites text in characters that the table defines: its own, a mark with a code, or `UNWRITABLE`. */
  spell(text: string): string
  /** Characters that were marked, or written without their accents. */
  readonly replaced: ReadonlySet<string>
}

/** Costs a translation per distinct character, so it is for texts whose translation contains `UNDEFINED`. */
export function speller(table: OpenTable): Speller {
  const spellings = new Map<string, string>()
  const replaced = new Set<string>()
  const writes = (text: string) => !table.forward(text).includes(UNDEFINED)

  function spellingOf(character: string): string {
    const faithful = [character, ...equivalents(character)].find(writes)
    if (faithful !== undefined) return faithful
    replaced.add(character)
    const bare = character.normalize('NFKD').replace(/\p{M}+/gu, '')
    return bare !== '' && writes(bare) ? bare : (marks(character).find(writes) ?? UNWRITABLE)
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

/**
 * Marks in liblouis's display notation for undefined characters: `'\x05d0'`, `\y` where the code has five digits and `\z`
 * where it has more. Some tables have no backslash, and some no apostrophe.
 */
function marks(character: string): string[] {
  const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')
  const notation = code.length === 4 ? `x${code}` : code.length === 5 ? `y${code}` : `z${code.padStart(8, '0')}`
  return [`'\\${notation}'`, `'${notation}'`, notation]
}
