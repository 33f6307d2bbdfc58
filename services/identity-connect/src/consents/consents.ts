import type { Clock, Db, ReadingDb } from '@icosa/kernel'
import * as store from './store.ts'

/** The scopes and claims that a client requests. */
export interface ConsentRequest {
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Individually requested claims. */
  readonly claims?: readonly string[] | undefined
}

export interface ConsentState {
  readonly existing: store.Consent | undefined
  /** Not yet consented to. */
  readonly newScopes: readonly string[]
  readonly newClaims: readonly string[]
}

/** Adds to the existing consent. */
export function addConsent(db: Db, clock: Clock, person: string, request: ConsentRequest): Promise<store.Consent> {
  return store.add(db, person, { ...request, claims: request.claims ?? [] }, clock.now())
}

/** If no scope and claim is new, no prompt is needed. */
export async function consentFor(db: ReadingDb, person: string, request: ConsentRequest): Promise<ConsentState> {
  const existing = await store.find(db, person, request.clientId)
  const missing = (requested: readonly string[], allowed: readonly string[] = []) =>
    [...new Set(requested)].filter((name) => !allowed.includes(name))
  return {
    existing,
    newScopes: missing(request.scopes, existing?.scopes),
    newClaims: missing(request.claims ?? [], existing?.claims),
  }
}

/** Oldest first. */
export function listConsents(db: ReadingDb, person: string): Promise<store.Consent[]> {
  return store.list(db, person)
}

/** Returns false if there was none. The caller revokes tokens. */
export function removeConsent(db: Db, person: string, clientId: string): Promise<boolean> {
  return store.remove(db, person, clientId)
}

/** For a deleted client. */
export async function removeClientConsents(db: Db, clientId: string): Promise<void> {
  await store.removeOfClient(db, clientId)
}
