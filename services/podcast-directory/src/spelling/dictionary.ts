/** The two files of a Hunspell dictionary. */
export interface DictionaryFiles {
  readonly aff: Uint8Array
  readonly dic: Uint8Array
}

/** How a word is made of another: `SFX D y ied [^aeiou]y` makes `tried` of `try`. */
interface Affix {
  readonly flag: string
  readonly isPrefix: boolean
  /** Whether a prefix may come with a suffix of this kind, and the other way round. */
  readonly combines: boolean
  readonly removed: string
  readonly added: string
  readonly fits: RegExp
}

/**
 * Whether something is a word. A dictionary has words in their basic form, each with the affixes that it may have; forms
 * are taken apart when somebody asks. To put all of them together in advance takes a second, to read the files a moment.
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

/** Lines of four words open a kind of affix, lines of five are its cases. */
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

/** The word to which the affix was added, if it can have been. */
function without({ isPrefix, removed, added, fits }: Affix, word: string): string | undefined {
  if (!(isPrefix ? word.startsWith(added) : word.endsWith(added))) return undefined
  const rest = isPrefix ? removed + word.slice(added.length) : word.slice(0, -added.length) + removed
  return fits.test(rest) ? rest : undefined
}
