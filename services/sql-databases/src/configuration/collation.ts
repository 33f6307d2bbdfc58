import { Failure } from '@icosa/kernel'
import { notBuilt } from '@icosa/module/not-built'
import { unsupported } from '../unsupported.ts'

/** Collations of SQL Server by the language that they sort for: the tag of the nearest one that ICU has. */
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

/** What they ignore, as ICU says it. */
const strengths: Readonly<Record<string, string>> = {
  ci_as: 'ks-level2',
  ci_ai: 'ks-level1',
  cs_as: '',
  cs_ai: 'ks-level1-kc-true',
}

const ofSqlServer = /^(?:SQL_)?(\w+?)(?:_CP\d+)?(?:_\d{2,3})?_(BIN2?|C[IS]_A[IS])(?:_KS)?(?:_WS)?(?:_SC)?(?:_UTF8)?$/i

/**
 * The collation of PostgreSQL that a database gets: `C`, `C.UTF-8` or the language tag of an ICU collation. One of SQL
 * Server becomes the nearest of these: it sorts alike, but PostgreSQL still tells texts apart that sort as equal.
 */
export function hostCollationFor(collation: string): string {
  const [, language = '', comparison = ''] = ofSqlServer.exec(collation) ?? []
  if (comparison !== '')
    return nearest(language, comparison.toLowerCase()) ?? notBuilt(unsupported.collation, `The collation ${collation}`)
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

/** Those of SQL Server are compared without case, and a database is also known by the one it has on the host. */
export function isCollationOf(
  { collation, hostCollation }: { readonly collation: string | null; readonly hostCollation: string | null },
  said: string,
): boolean {
  return [collation, hostCollation].some((one) => one?.toLowerCase() === said.toLowerCase())
}

function isLanguage(tag: string): boolean {
  return /^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(tag) && supported(tag).length > 0
}

function supported(tag: string): string[] {
  try {
    return Intl.Collator.supportedLocalesOf(tag)
  } catch {
    return [] // looks like a language tag and is none
  }
}
