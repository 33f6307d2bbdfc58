/** The two files of a Hunspell dictionary. */
export interface DictionaryFiles {
  readonly aff: Uint8Array
  readonly dic: Uint8Array
}

/** A rule for forms: `SFX D y ied [^aeiou]y` derives `tried` from `try`. */
interface Affix {
  readonly flag: string
  readonly isPrefix: boolean
  /** Whether it can be combined with suffixes or prefixes. */
  readonly combines: boolean
  readonly removed: string
  readonly added: string
  readonly fits: RegExp
}

/**
 * Reads a dictionary, and returns a test for words. It contains stems with their affixes; forms are analysed on request, since
 * generating all of them in advance would take a second.
 */
export function readDictionary({ aff, dic }: DictionaryFiles): (word: string) => boolean {
  const rules = linesOf(aff).map((line) => line.split(/\s+/))
  const affixes = affixesOf(rules)
  const prefixes = affixes.filter(({ isPrefix, combines }) => isPrefix && combines)
  const [, partOnly = ' '] = rules.find(([kind]) => kind === 'ONLYINCOMPOUND') ?? []
  const flags = new Map<string, string>()
  for (const line of linesOf(dic).slice(1)) {
    const [word = '', more = ''] = line.split('/', 2)
    if (!more.includes(partOnly)) flags.set(word, (flags.get(word) ?? '') + more)
  }
  const has = (word: string, flag: string) => flags.get(word)?.includes(flag) === true

  return (word) =>
    flags.has(word) ||
    affixes.some((affix) => {
      const stem = without(affix, word)
      if (stem === undefined) return false
      if (has(stem, affix.flag)) return true
      if (affix.isPrefix || !affix.combines) return false
      return prefixes.some((prefix) => {
        const core = without(prefix, stem)
        return core !== undefined && has(core, affix.flag) && has(core, prefix.flag)
      })
    })
}

const linesOf = (file: Uint8Array) =>
  Buffer.from(file)
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Lines of four words start a class of affixes, lines of five are its rules. */
function affixesOf(rules: readonly string[][]): Affix[] {
  const rows = rules.filter(([kind]) => kind === 'PFX' || kind === 'SFX')
  const combining = new Set(rows.filter((row) => row.length === 4 && row[2] === 'Y').map(([, flag]) => flag))
  return rows
    .filter((row) => row.length === 5)
    .map(([kind, flag = '', removed = '', added = '', condition = '']) => {
      const isPrefix = kind === 'PFX'
      return {
        flag,
        isPrefix,
        combines: combining.has(flag),
        removed: removed === '0' ? '' : removed,
        added,
        fits: new RegExp(isPrefix ? `^${condition}` : `${condition}$`),
      }
    })
}

/** The word without the affix, if it applies. */
function without({ isPrefix, removed, added, fits }: Affix, word: string): string | undefined {
  if (!(isPrefix ? word.startsWith(added) : word.endsWith(added))) return undefined
  const rest = isPrefix ? removed + word.slice(added.length) : word.slice(0, -added.length) + removed
  return fits.test(rest) ? rest : undefined
}
