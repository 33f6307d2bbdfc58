import type { Context, ReadingContext } from '@icosa/kernel'
import type { Content } from '../content/content.ts'
import { badArgument, unknown } from '../shapes/failures.ts'
import * as store from './store.ts'

export interface At {
  readonly appId: string
  readonly versionId: string
}

type Reading = Pick<ReadingContext, 'db' | 'caller'>
type Writing = Pick<Context, 'db' | 'caller' | 'clock'>

/** Finds a version without its content. */
export async function findVersion({ db, caller }: Reading, { appId, versionId }: At): Promise<store.Version> {
  return (await store.find(db, caller.tenant, appId, versionId)) ?? unknown('version', versionId)
}

export async function readVersion({ db, caller }: Reading, { appId, versionId }: At): Promise<store.WholeVersion> {
  return (await store.read(db, caller.tenant, appId, versionId)) ?? unknown('version', versionId)
}

export async function contentOf(context: Reading, at: At): Promise<Content> {
  return (await readVersion(context, at)).content
}

export async function lockVersion({ db, caller }: Writing, { appId, versionId }: At): Promise<store.WholeVersion> {
  return (await store.lock(db, caller.tenant, appId, versionId)) ?? unknown('version', versionId)
}

/** Changes the content of a version, which it locks. */
export async function editContent<T>(
  context: Writing,
  at: At,
  change: (content: Content, version: store.WholeVersion) => T | Promise<T>,
): Promise<T> {
  const version = await lockVersion(context, at)
  const result = await change(version.content, version)
  demandRoom(version.content)
  await store.save(context.db, context.caller.tenant, version.uid, version.content, context.clock.now())
  return result
}

/** The whole content is read and written with every change. */
const maxCharacters = 12 * 1024 * 1024

export function demandRoom(content: Content): void {
  if (JSON.stringify(content).length > maxCharacters)
    badArgument(
      `A version without its utterances may have at most ${maxCharacters.toLocaleString('en')} characters as JSON.`,
    )
}
