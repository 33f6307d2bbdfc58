import { every, type Lacking } from '@icosa/kernel'
import type { Examined } from './examine.ts'

export interface LackingWatch {
  readonly lacking: () => Lacking
  close(): void
}

/** What was installed since shows without a restart. */
const againMs = 300_000

/**
 * Looks what services lack on this node, once it has started, and again while something is missing. Says so once: the
 * node serves what it can.
 */
export function watchLacking(examine: () => Promise<readonly Examined[]>, say: (line: string) => void): LackingWatch {
  let known: Lacking = {}

  async function look(): Promise<void> {
    const needs = Map.groupBy(await examine(), ({ service }) => service)
    known = Object.fromEntries([...needs].map(([service, found]) => [service, namesOf(found)]))
  }
  const lacks = () => Object.entries(known).filter(([, names]) => names.length > 0)

  look().then(
    () => {
      const list = lacks().map(([service, names]) => `${service} (${names.join(', ')})`)
      if (list.length > 0)
        say(
          `${list.length === 1 ? '1 service lacks' : `${list.length} services lack`} something: ${list.join('; ')}. \`icosa doctor\` tells more.`,
        )
    },
    (error: Error) => say(`What services need could not be examined: ${error.message}`),
  )
  const close = every(
    againMs,
    () => (lacks().length > 0 ? look() : undefined),
    () => {},
  )
  return { lacking: () => known, close }
}

const namesOf = (found: readonly Examined[]) =>
  found.filter(({ isThere, isOptional }) => !isThere && !isOptional).map(({ need }) => need)
