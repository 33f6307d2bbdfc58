const english: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }
const englishOrdinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** Suffixes of ordinals that the engine reads correctly anywhere in a sentence. */
const endings: Readonly<Record<string, (number: string) => string>> = {
  en: (number) => english[englishOrdinals.select(Number(number))] ?? 'th',
  es: () => 'º',
  fr: (number) => (number === '1' ? 'er' : 'ième'),
  it: () => 'º',
  pt: () => 'º',
  sv: (number) => (/(?:^|[^1])[12]$/.test(number) ? ':a' : ':e'),
}

/** Undefined if the engine supports none, or reads its dot as the end of a sentence, as in German. */
export function ordinalOf(number: string, language: string): string | undefined {
  const [primary = ''] = language.split('-')
  const ending = Object.hasOwn(endings, primary) ? endings[primary] : undefined
  return ending && number + ending(number)
}
