import type { Static } from '@icosa/contract'
import type { FunctionResource } from '../functions/contract.ts'
import type { Trigger } from '../functions/desired.ts'
import type { Attributes, Event } from './event.ts'

type Filter = NonNullable<NonNullable<Static<typeof FunctionResource>['eventTrigger']>['eventFilters']>[number]

export const pathPattern = 'match-path-pattern'

/** Whether a trigger waits for an event of its type: the topic and every filter must match. */
export const isWanted = ({ topic, attributes }: Pick<Event, 'topic' | 'attributes'>, trigger: Trigger): boolean =>
  trigger.pubsubTopic === topic && matchesFilters(attributes, trigger.eventFilters)

/** Whether an event has, in each attribute that a trigger names, the value that it names, or one of the pattern. */
export function matchesFilters(attributes: Attributes, filters: readonly Filter[] = []): boolean {
  return filters.every(({ attribute, value, operator }) => {
    const own = Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined
    if (own === undefined) return false
    return operator === pathPattern ? matches(own.split('/'), value.split('/')) : own === value
  })
}

/** `*` is one segment, or part of one; `**` is any number of them. */
function matches(segments: readonly string[], patterns: readonly string[]): boolean {
  const [pattern, ...rest] = patterns
  if (pattern === undefined) return segments.length === 0
  if (pattern === '**') return rest.length === 0 || segments.some((_, index) => matches(segments.slice(index), rest))
  const [segment, ...others] = segments
  return segment !== undefined && matchesSegment(segment, pattern) && matches(others, rest)
}

function matchesSegment(segment: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  if (parts.length === 0) return segment === pattern
  const last = parts.pop() ?? ''
  if (!segment.startsWith(first) || !segment.endsWith(last) || segment.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts) {
    const found = segment.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= segment.length - last.length
}
