import { isDeepStrictEqual as same } from 'node:util'
import type { Answer, Node } from '../statements.ts'

export const at = '/contribution-collection/1'

// biome-ignore lint/suspicious/noExplicitAny: as in `Answer`
export type Json = any
export type Ask = (method: string, path: string, json?: unknown) => Promise<Answer>

export interface Person {
  readonly id: string
  readonly token: string
  readonly ask: Ask
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, json?: unknown) => Promise<Answer>
}

export interface People {
  /** The tenant, with a platform key. */
  readonly key: Person
  /** Owns assignments. */
  readonly ada: Person
  /** Contributes. */
  readonly bob: Person
  /** Sees public contributions, and contributes, too. */
  readonly eve: Person
}

export const password = 'correct horse battery'

export const grant = ({ call }: Pick<Node, 'call'>, form: Record<string, string>) =>
  call(`${at}/token`, { method: 'POST', form })

export function personOf({ call }: Pick<Node, 'call'>, id: string, token: string): Person {
  const ask: Ask = (method, path, json) =>
    call(at + path, { method, headers: { authorization: `Bearer ${token}` }, ...(json !== undefined && { json }) })
  return { id, token, ask, get: (path) => ask('GET', path), post: (path, json) => ask('POST', path, json) }
}

/** Creates a user with a token of these scopes. */
export async function user(node: Node, key: Person, name: string, scopes: readonly string[] = ['full']) {
  const created = await key.post('/users', { username: name, password, displayName: name.toUpperCase(), scopes })
  const granted = await grant(node, { grant_type: 'password', username: name, password })
  return personOf(node, created.json?.id, granted.json?.access_token)
}

export async function people(node: Node): Promise<People> {
  const key = personOf(node, 'key_dev', 'icosa-dev-key')
  const [ada, bob, eve] = [await user(node, key, 'ada'), await user(node, key, 'bob'), await user(node, key, 'eve')]
  return { key, ada, bob, eve }
}

/** Submits a contribution and approves it. */
export async function published(by: Person, moderator: Person, contribution: object): Promise<Json> {
  const { json, text } = await by.post('/contributions', contribution)
  if (json?.id === undefined) throw new Error(text)
  await moderator.post(`/contributions/${json.id}/moderate`, { action: { id: 'approve' } })
  return json
}

export const idsIn = (list: Json): string[] => list?.map?.(({ id }: Json) => id) ?? []
export const fieldsIn = ({ json }: Answer): string[] => json?.fields?.map(({ name }: Json) => name) ?? []

/** Error bodies have a message and the name of an invalid field. */
export const isRefused = (answer: Answer, status: number, field?: string) =>
  answer.status === status &&
  typeof answer.json?.message === 'string' &&
  (field === undefined || fieldsIn(answer).includes(field))

/** Events to which one can subscribe. */
export const eventTypes = [
  'contribution-submitted',
  'contribution-moderated',
  'contribution-flagged',
  'contribution-deleted',
]

/** States that a list has these items, in any order, and their total. */
export async function listed(
  holds: Node['holds'],
  { get }: Person,
  path: string,
  expected: readonly string[],
): Promise<void> {
  const { status, json, headers, text } = await get(path)
  const isRight = status === 200 && same(idsIn(json).toSorted(), expected.toSorted())
  holds(`GET ${path} lists what it should`, isRight, text)
  const total = headers.get('x-total-count')
  holds(`GET ${path} has X-total-count`, total === String(expected.length), total)
}

/** States that a list has pages of one item each, linked by `Link`. */
export async function paged(
  holds: Node['holds'],
  { get }: Person,
  path: string,
  all: readonly string[],
): Promise<void> {
  const query = path.includes('?') ? '&' : '?'
  const first = await get(`${path}${query}page=1&pageSize=1`)
  const [, next] = /<[^>]*\/1(\/[^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? []
  const second = next ? await get(next) : undefined
  const found = [...idsIn(first.json), ...idsIn(second?.json)]
  const isRight = found.length === 2 && new Set(found).size === 2 && found.every((id) => all.includes(id))
  holds(`${path} has pages, the next in Link`, isRight, [first.headers.get('link'), found])
}
