import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Blobs } from '@icosa/kernel'

export interface Subject {
  readonly blobs: Blobs
  /** Advances the clock that checks signed URLs. */
  pass(seconds: number): Promise<void>
  close(): Promise<void>
}

export type Current = () => Subject

export const mebibyte = 1024 * 1024

/** Unique key. */
export const fresh = (name = 'object') => `${randomUUID()}/${name}`

export async function contentOf(blobs: Blobs, key: string): Promise<string> {
  const { body } = await blobs.get(key)
  return (await buffer(body)).toString()
}
