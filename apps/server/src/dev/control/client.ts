import type { Fault, FaultRequest } from '@icosa/faults'
import { UsageError } from '@icosa/module'
import type { SnapshotChanges } from '@icosa/platform'
import type { Endpoint } from '../endpoints.ts'
import type { Instance } from '../instance.ts'
import type { Snapshot } from '../snapshots/folder.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'

/** Client of a running instance's control endpoint. */
export interface Control {
  endpoints(): Promise<readonly Endpoint[]>
  readonly snapshots: Snapshots
  readonly faults: {
    add(request: FaultRequest): Promise<Fault>
    list(): Promise<Fault[]>
    clear(id?: string): Promise<number>
  }
}

export function controlOf({ control }: Instance): Control {
  async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    if (!control) throw new UsageError('The running `icosa dev` is of an older version: restart it.')
    const response = await fetch(control.url + path, {
      method,
      headers: { authorization: `Bearer ${control.token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as T & { error?: string }
    if (!response.ok) throw new UsageError(answer.error ?? `It answered ${response.status}.`)
    return answer
  }
  const at = (name: string) => `/snapshots/${encodeURIComponent(name)}`
  return {
    endpoints: () => ask<Endpoint[]>('GET', '/endpoints'),
    snapshots: {
      list: () => ask<Snapshot[]>('GET', '/snapshots'),
      save: (name) => ask<Snapshot>('PUT', at(name)),
      restore: (name) => ask<Snapshot>('POST', `${at(name)}/restore`),
      compare: (from, to) => ask<SnapshotChanges>('POST', `${at(from)}/compare`, { to }),
      delete: (name) => ask<void>('DELETE', at(name)),
    },
    faults: {
      add: (request) => ask<Fault>('POST', '/faults', request),
      list: () => ask<Fault[]>('GET', '/faults'),
      clear: (id) => ask<number>('DELETE', id === undefined ? '/faults' : `/faults/${encodeURIComponent(id)}`),
    },
  }
}
