import type { Static } from '@icosa/contract'
import type { FunctionResource } from '../functions/contract.ts'
import type { Trigger } from '../functions/desired.ts'
import type { Attributes, Event } from './event.ts'

type Filter = NonNullable<NonNullable<Static<typeof FunctionResource>['eventTrigger']>['eventFilters']>[number]

export const pathPattern = 'match-path-pattern'

/** Whether an event matches the topic or channel, and every filter of a trigger. */
export const isMatch = ({ topic, attributes }: Pick<Event, 'topic' | 'attributes'>, trigger: Trigger): boolean =>
  (trigger.pubsubTopic ?? trigger.channel) === topic && matchesFilters(attributes, trigger.eventFilters)

export function matchesFilters(attributes: Attributes, filters: readonly Filter[] = []): boolean {
  return filters.every(({ attribute, value, operator }) => {
    const name = attribute.toLowerCase() // as attributes of CloudEvents are written
    const actual = Object.hasOwn(attributes, name) ? attributes[name] : undefined
    if (actual === undefined) return false
    return operator === pathPattern ? matches(actual.split('/'), value.split('/')) : actual === value
  })
}

/** `*` matches one segment or part of it; `**` matches any number of segments. */
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
    const index = segment.indexOf(part, at)
    if (index < 0) return false
    at = index + part.length
  }
  return at <= segment.length - last.length
}
