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

/** What a person tells of themselves, under the names of OpenID Connect. */
export type Profile = { readonly [Claim in TextClaim]?: string } & { readonly address?: PostalAddress }

/** What to change: a text that is empty and an address without parts are taken away. */
export type ProfileChanges = { readonly [Claim in TextClaim]?: string | undefined } & {
  readonly address?: { readonly [Part in keyof PostalAddress]?: string | undefined } | undefined
}

interface Rule {
  readonly longest: number
  readonly isValid?: (text: string) => boolean
  readonly says?: string
}

const url: Rule = { longest: 2000, isValid: isWebAddress, says: 'is an address that begins with https:// or http://' }
const rules = {
  name: { longest: 200 },
  given_name: { longest: 100 },
  family_name: { longest: 100 },
  middle_name: { longest: 100 },
  nickname: { longest: 100 },
  preferred_username: { longest: 100 },
  profile: url,
  picture: url,
  website: url,
  gender: { longest: 50 },
  birthdate: { longest: 10, isValid: isBirthdate, says: 'is a date such as 1815-12-10, or a year' },
  zoneinfo: { longest: 64, isValid: isTimeZone, says: 'is a time zone such as Europe/Paris' },
  locale: { longest: 35, isValid: isLocale, says: 'is a language such as en-GB' },
  phone_number: {
    longest: 40,
    isValid: (text: string) => /^\+?[\d ().-]{3,30}(;ext=\d{1,8})?$/.test(text),
    says: 'is a number such as +44 20 7946 0000',
  },
} satisfies Record<string, Rule>

type TextClaim = keyof typeof rules

const part: Rule = { longest: 200 }
const partRules: Record<keyof PostalAddress, Rule> = {
  street_address: part,
  locality: part,
  region: part,
  postal_code: part,
  country: part,
}

export interface CheckedProfile {
  readonly kept: Profile
  /** The names of claims to take away. */
  readonly removed: readonly string[]
}

/** Refuses what cannot be a claim, and sorts the rest into what to keep and what to take away. */
export function checkProfile(changes: ProfileChanges): CheckedProfile {
  const { address = {}, ...texts } = changes
  // A street is the only claim that comes in several lines.
  const lines = Object.entries(address).map(([name, text]) => [name, text?.trim().replace(/\s*\n\s*/g, ', ')])
  const wrong: Detail[] = []
  const parts = checkTexts(Object.fromEntries(lines), partRules, 'address/', wrong)
  const kept = checkTexts(texts, rules, '', wrong)
  if (wrong.length > 0) invalid(wrong)
  const profile: Profile = { ...kept, ...(Object.keys(parts).length > 0 && { address: parts }) }
  const given = Object.entries(changes).flatMap(([claim, value]) => (value === undefined ? [] : claim))
  return { kept: profile, removed: given.filter((claim) => !Object.hasOwn(profile, claim)) }
}

/** The texts that may stay. What is wrong with others is added to `wrong`; empty ones are neither. */
function checkTexts(
  given: Readonly<Record<string, string | undefined>>,
  rulesByName: Readonly<Record<string, Rule>>,
  path: string,
  wrong: Detail[],
): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value = ''] of Object.entries(given)) {
    if (value.trim() === '') continue
    const at = `${path}${name}`
    const rule = Object.hasOwn(rulesByName, name) ? rulesByName[name] : undefined
    const text = lineOf(value, rule?.longest ?? 0)
    if (!rule) wrong.push({ at, message: 'is not a claim that can be kept here' })
    else if (text === undefined) wrong.push({ at, message: `has at most ${rule.longest} characters on one line` })
    else if (rule.isValid?.(text) === false) wrong.push({ at, message: rule.says ?? 'is not valid' })
    else kept[name] = text
  }
  return kept
}

function isWebAddress(text: string): boolean {
  return /^https?:$/.test(URL.parse(text)?.protocol ?? '') && /^https?:\/\//i.test(text)
}

/** The year 0000 stands for one that is not told. */
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
