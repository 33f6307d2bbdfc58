import { Failure } from '@icosa/kernel'
import { notSupported } from '@icosa/module/not-supported'
import { unsupported } from '../unsupported.ts'

/** ICU language tags by the language of a SQL Server collation. */
const languages: Readonly<Record<string, string>> = {
  latin1_general: 'en-US',
  arabic: 'ar',
  chinese_prc: 'zh-CN',
  cyrillic_general: 'ru',
  czech: 'cs',
  danish_norwegian: 'da',
  finnish_swedish: 'sv',
  french: 'fr',
  german_phonebook: 'de-u-co-phonebk',
  greek: 'el',
  hebrew: 'he',
  hungarian: 'hu',
  japanese: 'ja',
  korean_wansung: 'ko',
  modern_spanish: 'es',
  polish: 'pl',
  traditional_spanish: 'es-u-co-trad',
  turkish: 'tr',
  vietnamese: 'vi',
}

/** ICU comparison strength by case and accent sensitivity. */
const strengths: Readonly<Record<string, string>> = {
  ci_as: 'ks-level2',
  ci_ai: 'ks-level1',
  cs_as: '',
  cs_ai: 'ks-level1-kc-true',
}

const sqlServerCollation =
  /^(?:SQL_)?(\w+?)(?:_CP\d+)?(?:_\d{2,3})?_(BIN2?|C[IS]_A[IS])(?:_KS)?(?:_WS)?(?:_SC)?(?:_UTF8)?$/i

/**
 * Returns the PostgreSQL collation of a database: `C`, `C.UTF-8` or the language tag of an ICU collation. A SQL Server collation
 * is mapped to the nearest: it sorts alike, but texts that sort as equal still differ.
 */
export function hostCollationFor(collation: string): string {
  const [, language = '', comparison = ''] = sqlServerCollation.exec(collation) ?? []
  if (comparison !== '')
    return (
      nearest(language, comparison.toLowerCase()) ?? notSupported(unsupported.collation, `The collation ${collation}`)
    )
  if (['C', 'C.UTF-8'].includes(collation) || isLanguage(collation)) return collation
  throw new Failure(
    'invalid',
    'The collation is unknown: leave it out, or use C, C.UTF-8, a language such as de-DE, or SQL_Latin1_General_CP1_CI_AS.',
    { code: 'InvalidCollation' },
  )
}

function nearest(language: string, comparison: string): string | undefined {
  const tag = languages[language.toLowerCase()]
  if (comparison.startsWith('bin')) return tag && 'C'
  const strength = strengths[comparison]
  if (!tag || !strength) return tag
  return tag.includes('-u-') ? `${tag}-${strength}` : `${tag}-u-${strength}`
}

/** Compares without case, with the requested collation or the one on the host. */
export function isCollationOf(
  { collation, hostCollation }: { readonly collation: string | null; readonly hostCollation: string | null },
  name: string,
): boolean {
  return [collation, hostCollation].some((candidate) => candidate?.toLowerCase() === name.toLowerCase())
}

function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(tag) && supported(tag).length > 0
}

function supported(tag: string): string[] {
  try {
    return Intl.Collator.supportedLocalesOf(tag)
  } catch {
    return [] // invalid language tag
  }
}
