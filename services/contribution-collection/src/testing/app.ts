import { client } from '@icosa/client'
import type { NodeOptions } from '@icosa/kernel'
import { startTestApp, type TestApp } from '@icosa/testing'
import * as contracts from '../contract.ts'
import { type ContributionSettings, contributionCollection } from '../index.ts'

const all = {
  ...contracts.access,
  ...contracts.assignments,
  ...contracts.contributions,
  ...contracts.exportsOf,
  ...contracts.forms,
  ...contracts.information,
  ...contracts.media,
  ...contracts.search,
  ...contracts.subscriptions,
  ...contracts.tags,
  ...contracts.users,
}
export type Ask = ReturnType<typeof client<typeof all>>

export interface World extends AsyncDisposable {
  readonly app: TestApp
  readonly url: string
  /** Client of a tenant with a platform key. */
  tenant(name?: string): Promise<Ask>
  /** Client with a token. */
  as(token: string): Ask
  /** Creates a user of a tenant, and signs in. */
  user(desk: Ask, name: string, scopes?: string[]): Promise<{ ask: Ask; id: string; token: string }>
}

const password = 'correct horse battery staple'
let users = 0

/** The service on a node of its own. */
export async function startContributions(
  settings: Partial<ContributionSettings> = {},
  options: Partial<Omit<NodeOptions, 'services'>> = {},
): Promise<World> {
  const app = await startTestApp({ services: [contributionCollection(settings)], ...options })
  const url = `${app.url}/contribution-collection`
  const as = (token: string) => client(all, { baseUrl: url, headers: { authorization: `Bearer ${token}` } })
  return {
    app,
    url,
    as,
    tenant: async (name = 'news') => as(await app.key(name)),
    async user(desk, displayName, scopes = ['full']) {
      const username = `${displayName.toLowerCase().replaceAll(' ', '.')}-${++users}`
      const email = `${username}@people.example`
      const { body } = await desk.createUser({ body: { username, password, displayName, email, scopes } })
      const response = await as('').createToken({ body: { grant_type: 'password', username, password } })
      const token = response.body.access_token
      return { ask: as(token), id: body.id, token }
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** Creates an open assignment with an approved contribution. */
export async function approved(ask: Ask, headline = 'Snow in London', name = 'Snow') {
  const { body: assignment } = await ask.createAssignment({ body: { name } })
  const { body: contribution } = await ask.createContribution({
    body: { assignment: { id: assignment.id }, headline },
  })
  const params = { id: contribution.id }
  await ask.moderateContribution({ params, body: { action: { id: 'approve' } } })
  return { assignment, contribution, params }
}
