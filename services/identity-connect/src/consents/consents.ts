import type { Clock, Db, ReadingDb } from '@icosa/kernel'
import * as store from './store.ts'

/** What a client wants to know of a person. */
export interface Asked {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Single claims that are asked for by name. */
  readonly claims?: readonly string[] | undefined
}

export interface ConsentState {
  /** What was allowed before, if anything. */
  readonly given: store.Consent | undefined
  /** What the person has not been asked yet. */
  readonly newScopes: readonly string[]
  readonly newClaims: readonly string[]
}

/** Remembers what a person allowed, beside what they allowed before. */
export function remember(db: Db, clock: Clock, person: string, asked: Asked): Promise<store.Consent> {
  return store.add(db, person, { ...asked, claims: asked.claims ?? [] }, clock.now())
}

/** Which of what a client asks for is new to the person; if nothing is, they need not be asked. */
export async function consentFor(db: ReadingDb, person: string, asked: Asked): Promise<ConsentState> {
  const given = await store.find(db, person, asked.clientId)
  const unknown = (requested: readonly string[], known: readonly string[] = []) =>
    [...new Set(requested)].filter((name) => !known.includes(name))
  return {
    given,
    newScopes: unknown(asked.scopes, given?.scopes),
    newClaims: unknown(asked.claims ?? [], given?.claims),
  }
}

/** Oldest first. */
export function listConsents(db: ReadingDb, person: string): Promise<store.Consent[]> {
  return store.list(db, person)
}

/** Takes back what a person allowed a client; false if it was nothing. Tokens are the caller's to end. */
export function forget(db: Db, person: string, clientId: string): Promise<boolean> {
  return store.remove(db, person, clientId)
}

/** For a client that no longer exists. */
export async function forgetClient(db: Db, clientId: string): Promise<void> {
  await store.removeOfClient(db, clientId)
}
