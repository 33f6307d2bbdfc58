import type { TagMap } from '../shapes/tags.ts'
import { matches } from '../vaults/policy.ts'
import type { BackupSelection } from './contract.ts'

interface Candidate {
  readonly arn: string
  readonly tags: TagMap
}

/**
 * Whether a selection has a resource: by its ARN or by one of its tags, and then only if every condition holds. Where there
 * are only conditions, or only exceptions, everything else is meant.
 */
export function isSelected(selection: BackupSelection, { arn, tags }: Candidate): boolean {
  const { Resources = [], NotResources = [], ListOfTags = [], Conditions = {} } = selection
  const isNamed = Resources.some((pattern) => matches(pattern, arn))
  const isTagged = ListOfTags.some(({ ConditionKey, ConditionValue }) => tags[keyOf(ConditionKey)] === ConditionValue)
  const isMeant = isNamed || isTagged || (Resources.length === 0 && ListOfTags.length === 0)
  if (!isMeant || NotResources.some((pattern) => matches(pattern, arn))) return false
  return holds(Conditions, tags)
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

/** `*` stands for any characters; unlike in ARNs, case counts. */
function likes(pattern: string, text: string): boolean {
  return new RegExp(`^${pattern.split(/\*+/).map(RegExp.escape).join('[^]*?')}$`).test(text)
}
