import { type Detail, invalid } from '@icosa/kernel'
import { lineOf } from './text.ts'

/** A postal address, under the names of OpenID Connect. */
export interface PostalAddress {
  readonly street_address?: string
  readonly locality?: string
  readonly region?: string
  readonly postal_code?: string
  readonly country?: string
}

/** Self-declared claims, under the names of OpenID Connect. */
export type Profile = { readonly [Claim in TextClaim]?: string } & { readonly address?: PostalAddress }

/** Empty texts and addresses without parts are removed. */
export type ProfileChanges = { readonly [Claim in TextClaim]?: string | undefined } & {
  readonly address?: { readonly [Part in keyof PostalAddress]?: string | undefined } | undefined
}

interface Rule {
  readonly maxLength: number
  readonly isValid?: (text: string) => boolean
  readonly message?: string
}

const url: Rule = {
  maxLength: 2000,
  isValid: isWebAddress,
  message: 'must be an address that begins with https:// or http://',
}
const rules = {
  name: { maxLength: 200 },
  given_name: { maxLength: 100 },
  family_name: { maxLength: 100 },
  middle_name: { maxLength: 100 },
  nickname: { maxLength: 100 },
  preferred_username: { maxLength: 100 },
  profile: url,
  picture: url,
  website: url,
  gender: { maxLength: 50 },
  birthdate: { maxLength: 10, isValid: isBirthdate, message: 'must be a date such as 1815-12-10, or a year' },
  zoneinfo: { maxLength: 64, isValid: isTimeZone, message: 'must be a time zone such as Europe/Paris' },
  locale: { maxLength: 35, isValid: isLocale, message: 'must be a language such as en-GB' },
  phone_number: {
    maxLength: 40,
    isValid: (text: string) => /^\+?[\d ().-]{3,30}(;ext=\d{1,8})?$/.test(text),
    message: 'must be a number such as +44 20 7946 0000',
  },
} satisfies Record<string, Rule>

type TextClaim = keyof typeof rules

const part: Rule = { maxLength: 200 }
const partRules: Record<keyof PostalAddress, Rule> = {
  street_address: part,
  locality: part,
  region: part,
  postal_code: part,
  country: part,
}

export interface CheckedProfile {
  readonly changes: Profile
  /** Names of claims to remove. */
  readonly removed: readonly string[]
}

/** Validates claims, and separates changes from removals. */
export function checkProfile(changes: ProfileChanges): CheckedProfile {
  const { address = {}, ...texts } = changes
  // Only a street may have several lines.
  const lines = Object.entries(address).map(([name, text]) => [name, text?.trim().replace(/\s*\n\s*/g, ', ')])
  const wrong: Detail[] = []
  const parts = checkTexts(Object.fromEntries(lines), partRules, 'address/', wrong)
  const claims = checkTexts(texts, rules, '', wrong)
  if (wrong.length > 0) invalid(wrong)
  const profile: Profile = { ...claims, ...(Object.keys(parts).length > 0 && { address: parts }) }
  const names = Object.entries(changes).flatMap(([claim, value]) => (value === undefined ? [] : claim))
  return { changes: profile, removed: names.filter((claim) => !Object.hasOwn(profile, claim)) }
}

/** Returns valid texts, and adds problems of others to `wrong`. Empty ones are skipped. */
function checkTexts(
  texts: Readonly<Record<string, string | undefined>>,
  rulesByName: Readonly<Record<string, Rule>>,
  path: string,
  wrong: Detail[],
): Record<string, string> {
  const valid: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(texts)) {
    if (value.trim() === '') continue
    const at = `${path}${name}`
    const rule = Object.hasOwn(rulesByName, name) ? rulesByName[name] : undefined
    const text = lineOf(value, rule?.maxLength ?? 0)
    if (!rule) wrong.push({ at, message: 'is not a supported claim' })
    else if (text === undefined)
      wrong.push({ at, message: `must have at most ${rule.maxLength} characters on one line` })
    else if (rule.isValid?.(text) === false) wrong.push({ at, message: rule.message ?? 'is not valid' })
    else valid[name] = text
  }
  return valid
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && /^https?:\/\//i.test(text)
}

/** The year 0000 means an undisclosed year. */
function isBirthdate(text: string): boolean {
  if (/^\d{4}$/.test(text)) return true
  const date = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return date !== undefined && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
  } catch {
    return false
  }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
