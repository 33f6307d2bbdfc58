import { type Platform, recentlyUsed, writeBehind } from '@icosa/kernel'
import type { Place } from '../functions/store.ts'
import type { Line } from '../instances/index.ts'
import type { Revision } from '../revision.ts'
import { type Budget, budget } from './budget.ts'
import * as store from './store.ts'

export interface Invocation {
  readonly revision: Revision
  readonly id: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly durationMs: number
}

/** Takes lines from instances and writes them a little later, in batches. A function that prints too much loses lines. */
export interface Logs {
  printed(line: Line & { readonly revision: Revision }): void
  ended(invocation: Invocation): void
  flush(): Promise<void>
}

const everyMs = 300
/** Lines that wait on a node to be written. */
const waitingLimit = 20_000
/** Lines of a function that are kept. */
const keptLimit = 10_000
const trimEvery = 1_000

interface Known extends Place {
  readonly budget: Budget
  written: number
}

export function openLogs({ database, clock, log }: Pick<Platform, 'database' | 'clock' | 'log'>): Logs {
  const functions = recentlyUsed<Known>('functions logged', 10_000)
  let waiting: store.NewLine[] = []

  function knownOf({ tenant, function: name }: Revision): Known {
    const key = `${tenant} ${name}`
    let known = functions.get(key)
    if (!known) {
      known = { ...placeOf(name), budget: budget(), written: 0 }
      functions.set(key, known)
    }
    return known
  }

  function add(revision: Revision, line: Omit<store.LogLine, 'at'>): void {
    const known = knownOf(revision)
    if (waiting.length >= waitingLimit || !known.budget.take(line.text.length)) return
    const { project, location, function: id } = known
    const place = { tenant: revision.tenant, project, location, function: id, at: clock.now() }
    const refused = known.budget.refused()
    const text = `${refused} lines were dropped: print less.`
    if (refused > 0) waiting.push({ ...place, invocation: null, stream: 'platform', text })
    waiting.push({ ...place, ...line, text: line.text.replaceAll('\0', '\ufffd') })
    known.written++
    writing.soon()
  }

  async function write(): Promise<void> {
    const lines = waiting
    waiting = []
    if (lines.length === 0) return
    await store.write(database, lines)
    const places = new Map(
      lines.map((line) => [`${line.tenant} ${line.project} ${line.location} ${line.function}`, line]),
    )
    for (const { tenant, ...place } of places.values()) {
      const known = functions.get(
        `${tenant} projects/${place.project}/locations/${place.location}/functions/${place.function}`,
      )
      if (!known || known.written < trimEvery) continue
      known.written = 0
      await store.trim(database, tenant, place, keptLimit)
    }
  }

  const writing = writeBehind({
    everyMs,
    write,
    onError: (error) => log.warn({ err: error }, 'lines of functions were lost'),
  })

  return {
    printed: ({ revision, stream, text, invocation = null }) => add(revision, { stream, text, invocation }),
    ended({ revision, id, method, path, status, durationMs }) {
      const shown = path.length > 200 ? `${path.slice(0, 200)}...` : path
      const text = `${method} ${shown.split('?', 1)[0]} ${status} in ${durationMs.toFixed(1)} ms`
      add(revision, { stream: 'platform', text, invocation: id })
    },
    flush: () => writing.flush(),
  }
}

function placeOf(name: string): Place {
  const [, project = '', , location = '', , id = ''] = name.split('/')
  return { project, location, function: id }
}
