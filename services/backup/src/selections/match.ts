import { currentArn, isAccountOf, parseArn } from '@icosa/dialects/signed/arn'
import { canonicalName, type Owner } from '@icosa/dialects/signed/resource-name'
import { invalid } from '@icosa/kernel'
import { checkOwnName } from '../resources/named.ts'
import type { TagMap } from '../shapes/tags.ts'
import { matches } from '../vaults/policy.ts'
import type { BackupSelection } from './contract.ts'

interface Candidate {
  /** Canonical names. */
  readonly names: readonly string[]
  readonly tags: TagMap
}

/**
 * Returns whether a selection matches a resource: by its name or by one of its tags, and then only if every condition holds.
 * With only conditions, or only exceptions, it matches everything else.
 */
export function selector(owner: Owner, selection: BackupSelection): (candidate: Candidate) => boolean {
  const { Resources = [], NotResources = [], ListOfTags = [], Conditions = {} } = selection
  const isNamed = anyOf(owner, Resources)
  const isExcluded = anyOf(owner, NotResources)
  return ({ names, tags }) => {
    const isTagged = ListOfTags.some(({ ConditionKey, ConditionValue }) => tags[keyOf(ConditionKey)] === ConditionValue)
    const isSelected = isNamed(names) || isTagged || (Resources.length === 0 && ListOfTags.length === 0)
    return isSelected && !isExcluded(names) && holds(Conditions, tags)
  }
}

function anyOf(owner: Owner, texts: readonly string[]): (names: Candidate['names']) => boolean {
  const exact = new Set(texts.map((text) => canonicalName(owner, text)))
  const patterns = texts
    .filter((text) => text.includes('*'))
    .map((text) => currentArn(text, owner.tenant).replace(/^\//, ''))
  return (names) =>
    names.some((name) => exact.has(name)) || names.some((name) => patterns.some((pattern) => matches(pattern, name)))
}

const maxPatterns = 30

/** Rejects texts that are neither names of the owner's resources nor patterns of such names. */
export function checkNames(owner: Owner, texts: readonly string[] = [], at: string): void {
  if (texts.filter((text) => text.includes('*')).length > maxPatterns)
    invalid([{ at, message: `has more than ${maxPatterns} names with wildcards` }])
  for (const [index, text] of texts.entries()) {
    if (!text.includes('*')) checkOwnName(owner, text, `${at}/${index}`)
    else if (!isPattern(owner, text))
      invalid([{ at: `${at}/${index}`, message: 'is not a pattern of ARNs or paths of this account and region' }])
  }
}

function isPattern({ tenant, region }: Owner, text: string): boolean {
  const arn = parseArn(text)
  if (!arn) return text.startsWith('arn:') || text.startsWith('*') || text.includes('/')
  const isAny = (part: string) => part.includes('*')
  return (isAny(arn.account) || isAccountOf(arn.account, tenant)) && (isAny(arn.region) || arn.region === region)
}

function holds(
  { StringEquals, StringNotEquals, StringLike, StringNotLike }: NonNullable<BackupSelection['Conditions']>,
  tags: TagMap,
) {
  const all = (
    parameters: typeof StringEquals,
    isRight: (value: string | undefined, expected: string) => boolean,
  ): boolean =>
    (parameters ?? []).every(({ ConditionKey = '', ConditionValue = '' }) =>
      isRight(tags[keyOf(ConditionKey)], ConditionValue),
    )
  const isLike = (value: string | undefined, pattern: string) => value !== undefined && likes(pattern, value)
  return (
    all(StringEquals, (value, expected) => value === expected) &&
    all(StringNotEquals, (value, expected) => value !== expected) &&
    all(StringLike, isLike) &&
    all(StringNotLike, (value, pattern) => !isLike(value, pattern))
  )
}

/** Conditions name tags as `aws:ResourceTag/team`, lists of tags as `team`. */
const keyOf = (key: string) => key.replace(/^aws:ResourceTag\//, '')

/** `*` matches any characters; unlike in ARNs, case matters. */
function likes(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.split(/\*+/).map(RegExp.escape).join('[^]*?')}$`).test(text)
}
