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

/** What the path names, without its content. */
export async function found({ db, caller }: Reading, { appId, versionId }: At): Promise<store.Version> {
  return (await store.find(db, caller.tenant, appId, versionId)) ?? unknown('version', versionId)
}

export async function read({ db, caller }: Reading, { appId, versionId }: At): Promise<store.WholeVersion> {
  return (await store.read(db, caller.tenant, appId, versionId)) ?? unknown('version', versionId)
}

export async function contentOf(context: Reading, at: At): Promise<Content> {
  return (await read(context, at)).content
}

export async function locked({ db, caller }: Writing, { appId, versionId }: At): Promise<store.WholeVersion> {
  return (await store.lock(db, caller.tenant, appId, versionId)) ?? unknown('version', versionId)
}

/** Changes the content of a version: authors of one version wait for each other. */
export async function edited<T>(
  context: Writing,
  at: At,
  change: (content: Content, version: store.WholeVersion) => T | Promise<T>,
): Promise<T> {
  const version = await locked(context, at)
  const answer = await change(version.content, version)
  demandRoom(version.content)
  await store.save(context.db, context.caller.tenant, version.uid, version.content, context.clock.now())
  return answer
}

/** What is read and written with every change. */
const maxCharacters = 12 * 1024 * 1024

export function demandRoom(content: Content): void {
  if (JSON.stringify(content).length > maxCharacters)
    badArgument(
      `All but the utterances of a version may have ${maxCharacters.toLocaleString('en')} characters, as JSON.`,
    )
}
